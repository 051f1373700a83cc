#compdef statecron
# Completion of statecron for zsh: statecron prints what fits (statecron print completion zsh).
_statecron() {
  local line
  local -a found
  for line in "${(@f)$(statecron complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  if (( $#found )); then _describe statecron found; else _files; fi
}
if [[ $funcstack[1] == _statecron ]]; then _statecron "$@"; else compdef _statecron statecron; fi
