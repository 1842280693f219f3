// What a command is: a name, what it is given, and what it does. `commands/index.ts` lists them; everything around `run` is made once.
import type { Ask } from './ask.ts'
import type { Desk } from './desk.ts'
import type { Ending } from './ending.ts'
import type { Out } from './out.ts'
import type { Language, LocalTexts, Texts } from './texts.ts'

/** Names to how they are written: `{ file: '<file>', name: '[name]' }`, `{ all: '--all', from: '-f, --from <day>' }`. */
type Written = Readonly<Record<string, string>>

type Args<A extends Written> = { readonly [N in keyof A]: ArgOf<A[N]> }
type Options<O extends Written> = { readonly [N in keyof O]: OptionOf<O[N]> }
type ArgOf<W extends string> = W extends `${string}...${string}`
  ? readonly string[]
  : W extends `<${string}`
    ? string
    : string | undefined
type OptionOf<W extends string> = W extends `${string}<${string}` ? string | undefined : boolean
/** Values whose kinds only the command itself knows. */
type Any = Readonly<Record<string, unknown>>

/** What a command is given when it runs. */
export interface Call<A = Any, O = Any> {
  readonly args: A
  readonly options: O
  readonly out: Out
  readonly t: Texts
  readonly language: Language
  readonly ask: Ask
  readonly ending: Ending
  readonly env: Readonly<Record<string, string | undefined>>
  /** `--profile`, if it was given. */
  readonly profile: string | undefined
  /** Signs in where the profile or the environment says; only once. */
  desk(): Promise<Desk>
  /** Says which desk is spoken to, where the command itself finds it: faults name it. */
  speaksTo(url: string): void
  /** Shows on the terminal that something takes its time. */
  during<T>(what: string | (() => string), work: Promise<T>): Promise<T>
}

/**
 * A command. Texts of its own: `about`, `arg.<name>`, `option.<name>`, and whatever it says. What `run` answers is the exit code, 0
 * unless given; what it throws is told in the reader's language.
 */
interface Given<A extends Written, O extends Written> {
  /** As it is typed: `tickets list`. */
  readonly name: string
  readonly texts: LocalTexts
  readonly args?: A
  readonly options?: O
  /** It opens the database itself: only on the server's machine, in its checkout, with its environment. */
  readonly onServer?: true
  /** Not in the help. */
  readonly hidden?: true
  readonly run: (call: Call<Args<A>, Options<O>>) => Promise<number | undefined> | Promise<void>
}

export interface Command {
  readonly name: string
  readonly texts: LocalTexts
  readonly args: Written
  readonly options: Written
  readonly onServer: boolean
  readonly hidden: boolean
  readonly run: (call: Call) => Promise<number | undefined> | Promise<void>
}

type Nothing = Readonly<Record<never, string>>

/**
 * Makes a command; its `run` knows from the way arguments and options are written what it is given.
 *
 * @example
 * export const queues = command({ name: 'queues', texts: { pt, en, es }, run: async ({ desk, out }) => {
 *   const { api } = await desk()
 *   const found = await api('GET /queue')
 *   out.answer(found, () => out.table(found, [{ title: 'Fila', of: queue => queue.name }]))
 * } })
 */
export function command<const A extends Written = Nothing, const O extends Written = Nothing>(
  given: Given<A, O>,
): Command {
  const { name, texts, args = {}, options = {}, onServer = false, hidden = false } = given
  // The program fills exactly these names, each as its writing says; TypeScript cannot follow that through commander.
  const run = given.run as unknown as Command['run']
  return { name, texts, args, options, onServer, hidden, run }
}
