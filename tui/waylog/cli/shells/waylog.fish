# Completes `waylog` in fish. To use it in every shell:
#   waylog completion fish > ~/.config/fish/completions/waylog.fish
# The program itself says what may come next.

function __waylog_words
    # What stands before the cursor; the last word may have an open quote.
    set -l typed (commandline --tokenize --cut-at-cursor --current-process)
    set -l begun (commandline --current-token --cut-at-cursor)
    set -l program $typed[1]
    set -e typed[1]
    if test "$typed[-1]" = --dir
        __fish_complete_directories $begun
        return
    end
    set begun (string unescape -- $begun; or string trim --left --chars='"\'' -- $begun)
    eval $program completion words -- (string escape -- $typed "$begun") 2>/dev/null | string replace '   /   ' \t
end

complete --command waylog --no-files --arguments '(__waylog_words)'
