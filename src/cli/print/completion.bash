# Completion of statecron for bash: statecron prints what fits (statecron print completion bash).
_statecron() {
  local word last='' current before line
  local -a words=()
  # Bash ends words at = and : too; they belong together.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && -n $last && ( $word == [=:]* || $last == *[=:] ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    last=$word
  done
  current=${words[-1]-}
  before=${current%"${current##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    # A name may have characters that the shell would act on.
    printf -v line %q "${line#"$before"}"
    COMPREPLY+=("$line")
  done < <(statecron complete -- "${words[@]}" 2>/dev/null)
}
complete -o default -F _statecron statecron
