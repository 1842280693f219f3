// Completion of words in shells: a script that asks this program what may come next.
import en from '../../locales/completion/en.json'
import es from '../../locales/completion/es.json'
import pt from '../../locales/completion/pt.json'
import { type Command, defineCommand } from '../kit/command.ts'
import { listCandidates } from '../kit/complete.ts'
import { parseChoice } from '../kit/pick.ts'

const SCRIPTS = {
  bash: `_balcao() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(balcao complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _balcao balcao
`,
  // Evaluated, or laid into a folder of $fpath: then the first press of Tab calls the file itself.
  zsh: `#compdef balcao
_balcao() {
  local -a found
  found=(\${(f)"$(balcao complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
if [[ \${funcstack[1]} == _balcao ]]; then
  _balcao "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _balcao balcao
fi
`,
  // Files only where no word fits: fish would put them beside the words.
  fish: `function __balcao_words
    set -l found (balcao complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c balcao -f -a '(__balcao_words)'
`,
} as const
const SHELLS = ['bash', 'zsh', 'fish'] as const

export const completion = defineCommand({
  name: 'completion',
  texts: { pt, en, es },
  args: { shell: '<shell>' },
  async run({ args, out }) {
    const shell = parseChoice(args.shell, SHELLS)
    const script = SCRIPTS[shell]
    out.answer({ shell, script }, () => out.raw(script))
  },
})

/** What the scripts ask; `all` are the commands there are. */
export function complete(all: () => readonly Command[]): Command {
  return defineCommand({
    name: 'complete',
    texts: { pt, en, es },
    hidden: true,
    args: { words: '[words...]' },
    async run({ args, out }) {
      const found = listCandidates(all(), args.words)
      out.answer({ words: found }, () => {
        for (const word of found) out.line(word)
      })
    },
  })
}
