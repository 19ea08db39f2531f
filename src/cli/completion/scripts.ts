export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/**
 * The script that makes a shell ask `NAME __complete` for what may appear at the cursor. The protocol is cobra's, so a
 * script that Helm wrote asks the same and gets the same.
 */
export function completionScript(shell: Shell, name: string, { descriptions }: { descriptions: boolean }): string {
  const request = descriptions ? '__complete' : '__completeNoDesc';
  const fill = (script: string): string =>
    script
      .replaceAll('@{', '${')
      .replaceAll('NAME', name)
      .replaceAll('FUNCTION', `_${name.replace(/\W/g, '_')}`)
      .replaceAll('ASK', request);
  switch (shell) {
    case 'bash':
      return fill(bash);
    case 'zsh':
      return fill(zsh);
    case 'fish':
      return fill(fish);
    case 'powershell':
      return fill(powershell);
  }
}

// In these scripts `@{` stands for the shell's `${`, which TypeScript would take for its own.

// The shell splits words at = and : too; what it takes for the word at the cursor may be the end of ours.
const bash = String.raw`# bash completion for NAME
_FUNCTION_complete() {
  local line="@{COMP_LINE:0:COMP_POINT}" part="@{COMP_WORDS[COMP_CWORD]}" typed value prefix out directive choice name
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  typed="@{words[@{#words[@]}-1]}"
  out="$("@{words[0]/#\~\//$HOME/}" ASK "@{words[@]:1}" 2>/dev/null)" || return
  directive="@{out##*:}"
  [[ $directive =~ ^[0-9]+$ ]] || return
  (( directive & 1 )) && return
  value="$typed"
  [[ $typed == -*=* ]] && value="@{typed#*=}"
  [[ $part == = || $part == : ]] && part=""
  prefix="@{value%"$part"}"
  if (( directive & 16 )); then
    while IFS= read -r choice; do COMPREPLY+=("$choice"); done < <(compgen -d -- "$part")
    return
  fi
  while IFS= read -r choice; do
    [[ -z $choice || $choice == _activeHelp_* ]] && continue
    name="@{choice%%$'\t'*}"
    [[ $name == "$value"* ]] || continue
    name="@{name#"$prefix"}"
    # The list that a second Tab shows has descriptions; what is put into the line has none.
    if [[ @{COMP_TYPE:-9} == 63 && $choice == *$'\t'* ]]; then name="$name  (@{choice#*$'\t'})"; fi
    COMPREPLY+=("$name")
  done <<<"@{out%:*}"
  if (( @{#COMPREPLY[@]} == 1 )); then COMPREPLY=("@{COMPREPLY[0]%%  (*}"); fi
  if [[ $(type -t compopt) == builtin ]]; then
    (( directive & 2 )) && compopt -o nospace
    (( directive & 4 )) && compopt +o default
  fi
  return 0
}
complete -o default -F _FUNCTION_complete NAME
`;

const zsh = String.raw`#compdef NAME
compdef FUNCTION NAME
FUNCTION() {
  local -a lines choices
  local line name description directive=0 known
  lines=("@{(@f)$(@{~words[1]} ASK "@{(@Q)words[2,CURRENT-1]}" "@{(Q)PREFIX}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == :<-> ]]; then directive=@{line#:}; continue; fi
    if [[ $line == _activeHelp_* ]]; then compadd -x "@{line#_activeHelp_ }"; continue; fi
    name=@{line%%$'\t'*}
    description=
    [[ $line == *$'\t'* ]] && description=":@{line#*$'\t'}"
    choices+=("@{name//:/\\:}$description")
  done
  (( directive & 1 )) && return 1
  [[ $PREFIX == -*=* ]] && compset -P '*='
  if (( directive & 16 )); then _path_files -/; return; fi
  if (( directive & 2 )); then _describe -t completions completions choices -S '' && known=1
  else _describe -t completions completions choices && known=1
  fi
  [[ -n $known ]] || (( directive & 4 )) || _files
}
# When the script is in a folder of fpath, the shell runs it as the function itself.
if [[ $funcstack[1] == FUNCTION ]]; then FUNCTION; fi
`;

const fish = String.raw`# fish completion for NAME
function _FUNCTION_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l lines ($words[1] ASK $words[2..-1] "$typed" 2>/dev/null)
    set -l directive (string replace : '' -- $lines[-1])
    string match -qr '^\d+$' -- $directive; or return
    test (math "bitand($directive, 1)") -ne 0; and return
    set -l prefix ''
    if string match -qr '^-.*=' -- $typed
        set prefix (string replace -r '=.*' '=' -- $typed)
    end
    set -e lines[-1]
    set -l known 0
    for line in $lines
        string match -q '_activeHelp_*' -- $line; and continue
        set known 1
        echo "$prefix$line"
    end
    if test $known -eq 0; and test (math "bitand($directive, 4)") -eq 0
        __fish_complete_path "$typed"
    end
end
complete -c NAME -e
complete -c NAME -f -a '(_FUNCTION_complete)'
`;

const powershell = String.raw`# PowerShell completion for NAME
Register-ArgumentCompleter -Native -CommandName 'NAME' -ScriptBlock {
    param($typed, $ast, $position)
    $line = $ast.ToString()
    if ($line.Length -gt $position) { $line = $line.Substring(0, $position) }
    $words = @($line -split '\s+' | Select-Object -Skip 1 | Where-Object { $_ -ne '' })
    if ($line -match '\s$' -or $line.Length -lt $position) { $words += '""' }
    $program = ($line -split '\s+')[0]
    $lines = @(Invoke-Expression "& $program ASK $($words -join ' ') 2>$null")
    if ($lines.Count -eq 0 -or $lines[-1] -notmatch '^:\d+$') { return }
    $directive = [int]$lines[-1].Substring(1)
    if ($directive -band 1) { return }
    $prefix = ''
    if ($typed -match '^(-[^=]*=)(.*)$') { $prefix = $Matches[1]; $typed = $Matches[2] }
    $choices = @($lines | Select-Object -SkipLast 1 | Where-Object { $_ -notlike '_activeHelp_*' -and $_ -like "$typed*" })
    if ($choices.Count -eq 0) { if ($directive -band 4) { '' }; return }
    $space = if ($directive -band 2) { '' } else { ' ' }
    foreach ($choice in $choices) {
        $name, $description = $choice -split [char]9, 2
        if (-not $description) { $description = $name }
        [System.Management.Automation.CompletionResult]::new("$prefix$name$space", $name, 'ParameterValue', $description)
    }
}
`;
