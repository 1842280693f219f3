// What a shell may offer next: of the commands' own grammar, so that nothing else has to be kept in step.
import type { Command } from './command.ts'

const EVERYWHERE = ['--help', '--json', '--profile']

/** `words` are those after `balcao`; the last one is being typed. Nothing: the shell offers files. */
export function listCandidates(commands: readonly Command[], words: readonly string[]): string[] {
  const typed = words.at(-1) ?? ''
  const path = words.slice(0, -1).filter(word => !word.startsWith('-'))
  const shown = commands.filter(({ hidden }) => !hidden)
  const below = shown.flatMap(({ name }) => {
    const parts = name.split(' ')
    return path.every((word, at) => parts[at] === word) && parts[path.length] !== undefined
      ? [parts[path.length] ?? '']
      : []
  })
  const offered = typed.startsWith('-') ? [...listFlags(shown, path), ...EVERYWHERE] : below
  return [...new Set(offered)].filter(word => word.startsWith(typed)).sort()
}

/** Options of the longest command that these words begin with. */
function listFlags(commands: readonly Command[], path: readonly string[]): string[] {
  const found = commands
    .filter(({ name }) => name.split(' ').every((word, at) => word === path[at]))
    .sort((one, other) => other.name.length - one.name.length)
  return Object.values(found[0]?.options ?? {}).flatMap(written => written.match(/--[\w-]+/)?.[0] ?? [])
}
