"""What players send: the inbox, their proposals, who is there, a pause.

**A proposal is played once.** Its id is in the entry; then comes the answer, then the file goes. Whoever finds the file again looks in
the log first. Who may write what into the inbox, and what is not believed, stands in `inbox.py`.
"""
