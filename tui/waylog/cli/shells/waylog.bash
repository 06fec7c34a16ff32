# Completes `waylog` in bash. To use it in every shell:
#   waylog completion bash > ~/.local/share/bash-completion/completions/waylog
# The program itself says what may come next.

_waylog() {
    local line word
    local -a typed=()
    COMPREPLY=()
    if [[ $3 == --dir ]]; then
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$2")
        compopt -o filenames 2>/dev/null
        return
    fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        # bash takes --system=ID apart at the sign.
        [[ $word == = ]] || typed+=("${word//[\"\'\\]/}")
    done
    while IFS= read -r line; do
        word=${line%%   /   *}
        # A campaign's name may have spaces. bash itself would quote only names of files.
        [[ ${COMP_WORDS[COMP_CWORD]} == [\"\']* ]] || printf -v word %q "$word"
        COMPREPLY+=("$word")
    done < <("${COMP_WORDS[0]/#\~/$HOME}" completion words -- "${typed[@]}" 2>/dev/null)
}

complete -F _waylog waylog
