// The commands as commander knows them: their grammar, help and complaints in the reader's language.
import { Command as Commander, CommanderError, Help, Option } from 'commander'
import type { Command, CommandContext } from './kit/command.ts'
import type { Stream } from './kit/out.ts'
import { wrapText } from './kit/text.ts'
import { createTexts, type Language, type Translate } from './kit/texts.ts'

export { CommanderError }

/** What was asked: a command with what it was given. */
export interface CommandInvocation extends Pick<CommandContext, 'args' | 'options' | 'profile'> {
  readonly command: Command
  readonly json: boolean
}

export interface ProgramOptions {
  readonly commands: readonly Command[]
  readonly language: Language
  readonly version: string
  readonly stdout: Stream
  readonly stderr: Stream
  /** Runs what was asked. */
  readonly perform: (invocation: CommandInvocation) => Promise<void>
}

/** Nothing ends the process here: commander throws, and `describeComplaint` says what. */
export function createProgram({ commands, language, version, stdout, stderr, perform }: ProgramOptions): Commander {
  const t = createTexts(language)
  const width = stdout.isTTY === true ? Math.max(MIN_WIDTH, stdout.columns ?? USUAL_WIDTH) : USUAL_WIDTH
  const program = new Commander('balcao')
    .description(t('about'))
    .version(version, '-V, --version', t('help.version'))
    .helpOption('-h, --help', t('help.help'))
    .helpCommand(false)
    .addOption(new Option('--json', t('help.json')))
    .addOption(new Option('--profile <name>', t('help.profile')))
    .exitOverride()
    .configureOutput({
      writeOut: text => void stdout.write(text),
      writeErr: text => void stderr.write(text),
      outputError: () => undefined,
    })
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: width,
      styleTitle: title => t(`help.title.${title.replace(/\W/g, '')}`),
      styleUsage(usage) {
        const room = width - Math.max(INDENT.length, t('help.title.Usage').length + 1)
        const words = usage.replace('[options]', t('help.options')).replace('[command]', t('help.command'))
        return wrapText(words, room).join(`\n${INDENT}`)
      },
      formatItem(term, termWidth, description, helper) {
        if (width >= ROOMY) return Help.prototype.formatItem.call(helper, term, termWidth, description, helper)
        const below = wrapText(description, width - INDENT.length).map(line => INDENT + line)
        return [`  ${term}`, ...(description === '' ? [] : below)].join('\n')
      },
      subcommandTerm: each => [each.name(), ...each.registeredArguments.map(formatTerm)].join(' '),
    })
  for (const command of commands) add(program, command, language, perform, width)
  return program
}

const USUAL_WIDTH = 80
const MIN_WIDTH = 40
/** Below this the words of an option stand under it. */
const ROOMY = 64
const INDENT = '      '

function add(
  program: Commander,
  command: Command,
  language: Language,
  perform: ProgramOptions['perform'],
  width: number,
) {
  const t = createTexts(language, command.texts)
  const words = command.name.split(' ')
  const last = words.pop() ?? ''
  const home = words.reduce((at, word) => at.commands.find(each => each.name() === word) ?? group(at, word, t), program)
  const made = home
    .command(last, { hidden: command.hidden })
    .description(t('about'))
    .helpOption('-h, --help', t('help.help'))
  if (t('more') !== 'more') {
    const lines = t('more')
      .split('\n')
      .flatMap(line => wrapText(line, width))
    made.addHelpText('after', ['', ...lines].join('\n'))
  }
  for (const [name, written] of Object.entries(command.args)) made.argument(written, t(`arg.${name}`))
  for (const [name, written] of Object.entries(command.options)) made.option(written, t(`option.${name}`))
  made.action(async (...values: unknown[]) => {
    const { json, profile, ...options } = made.optsWithGlobals<Record<string, unknown>>()
    await perform({
      command,
      args: collectValues(command.args, (_, at) => values[at]),
      options: collectValues(command.options, name => options[name]),
      json: json === true,
      profile: typeof profile === 'string' ? profile : undefined,
    })
  })
}

function group(at: Commander, word: string, t: Translate): Commander {
  return at
    .command(word)
    .description(t(`group.${word}`))
    .helpOption('-h, --help', t('help.help'))
    .helpCommand(false)
}

/** Values by their names, each as the way it is written says: a switch that was not given is false. */
function collectValues(
  written: Command['options'],
  valueAt: (name: string, at: number) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(written).map(([name, form], at) => {
    const value = valueAt(name, at)
    return [name, value === undefined && /^-/.test(form) && !form.includes('<') ? false : value]
  })
  return Object.fromEntries(entries)
}

function formatTerm(argument: { readonly required: boolean; readonly variadic: boolean; name(): string }): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

const COMPLAINTS = [
  'unknownOption',
  'unknownCommand',
  'missingArgument',
  'optionMissingArgument',
  'excessArguments',
] as const

/** What commander complains of, in the reader's language; null where it only showed its help. */
export function describeComplaint({ code, message }: CommanderError, t: Translate): string | null {
  const kind = code.replace('commander.', '')
  if (kind === 'help' || kind === 'helpDisplayed' || kind === 'version') return null
  const what = /'([^']+)'/.exec(message)?.[1] ?? ''
  const near = /\(Did you mean (?:one of )?([^?]+)\?\)/.exec(message)?.[1]
  const known = COMPLAINTS.find(each => each === kind)
  const sentence = known ? t(`wrong.${known}`, { what }) : t('wrong.other', { text: message })
  return near === undefined ? sentence : `${sentence} ${t('wrong.near', { near })}`
}

/** `balcao` and what stands after it, down to the command that was meant: for the hint after a complaint. */
export function resolveCommandPath(program: Commander, words: readonly string[]): string {
  let at = program
  const path = ['balcao']
  for (const word of words) {
    const next = at.commands.find(each => each.name() === word)
    if (!next) break
    at = next
    path.push(word)
  }
  return path.join(' ')
}
