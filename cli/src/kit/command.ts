// What a command is: a name, what it is given, and what it does. `commands/index.ts` lists them; everything around `run` is made once.
import type { Prompter } from './ask.ts'
import type { Desk } from './desk.ts'
import type { Ending } from './ending.ts'
import type { CommandOutput } from './out.ts'
import type { Language, LocalTexts, Translate } from './texts.ts'

/** Names to how they are written: `{ file: '<file>', name: '[name]' }`, `{ all: '--all', from: '-f, --from <day>' }`. */
type ParameterSyntax = Readonly<Record<string, string>>

type Args<A extends ParameterSyntax> = { readonly [N in keyof A]: ArgumentValue<A[N]> }
type Options<O extends ParameterSyntax> = { readonly [N in keyof O]: OptionValue<O[N]> }
type ArgumentValue<W extends string> = W extends `${string}...${string}`
  ? readonly string[]
  : W extends `<${string}`
    ? string
    : string | undefined
type OptionValue<W extends string> = W extends `${string}<${string}` ? string | undefined : boolean
/** Values whose kinds only the command itself knows. */
type UnknownValues = Readonly<Record<string, unknown>>

/** What a command is given when it runs. */
export interface CommandContext<A = UnknownValues, O = UnknownValues> {
  readonly args: A
  readonly options: O
  readonly out: CommandOutput
  readonly t: Translate
  readonly language: Language
  readonly ask: Prompter
  readonly ending: Ending
  readonly env: Readonly<Record<string, string | undefined>>
  /** `--profile`, if it was given. */
  readonly profile: string | undefined
  /** Signs in where the profile or the environment says; only once. */
  desk(): Promise<Desk>
  /** Says which desk is spoken to, where the command itself finds it: faults name it. */
  speaksTo(url: string): void
  /** Shows on the terminal that something takes its time. */
  during<T>(label: string | (() => string), work: Promise<T>): Promise<T>
}

/**
 * A command. Texts of its own: `about`, `arg.<name>`, `option.<name>`, and whatever it says. What `run` answers is the exit code, 0
 * unless given; what it throws is told in the reader's language.
 */
interface CommandDefinition<A extends ParameterSyntax, O extends ParameterSyntax> {
  /** As it is typed: `tickets list`. */
  readonly name: string
  readonly texts: LocalTexts
  readonly args?: A
  readonly options?: O
  /** It opens the database itself: only on the server's machine, in its checkout, with its environment. */
  readonly onServer?: true
  /** Not in the help. */
  readonly hidden?: true
  readonly run: (call: CommandContext<Args<A>, Options<O>>) => Promise<number | undefined> | Promise<void>
}

export interface Command {
  readonly name: string
  readonly texts: LocalTexts
  readonly args: ParameterSyntax
  readonly options: ParameterSyntax
  readonly onServer: boolean
  readonly hidden: boolean
  readonly run: (call: CommandContext) => Promise<number | undefined> | Promise<void>
}

type NoParameters = Readonly<Record<never, string>>

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
export function defineCommand<
  const A extends ParameterSyntax = NoParameters,
  const O extends ParameterSyntax = NoParameters,
>(definition: CommandDefinition<A, O>): Command {
  const { name, texts, args = {}, options = {}, onServer = false, hidden = false } = definition
  // The program fills exactly these names, each as its writing says; TypeScript cannot follow that through commander.
  const run = definition.run as unknown as Command['run']
  return { name, texts, args, options, onServer, hidden, run }
}
