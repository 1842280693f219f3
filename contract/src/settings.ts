// Every setting in one table: kind, section, default, check, who may write it (decisions §5). On the wire and in the database a value
// is the specification's text; everywhere else it is what `settingsFrom` has read out of it: a boolean, a number, a time, a text.
import { BACK_WORD, isWord, ratingOf } from './answers.ts'
import { integrationAddress } from './integration.ts'
import { daysInMonth, isTimezone, minutesOf } from './zoned-time.ts'

export type Section = 'schedule' | 'messages' | 'viewing'

/** What can be wrong with a value, with the sentences of the specification where it fixes one (spec 2 §5). */
export const SETTING_PROBLEMS = {
  toggle: 'Use enabled ou disabled',
  option: 'Use um destes: {{options}}',
  number: 'Informe um número de {{least}} a {{most}}',
  tooLong: 'No máximo {{most}} caracteres',
  optOut: 'Use até 40 caracteres, com uma letra no começo; VOLTAR já tem outro sentido',
  opening: 'Horário de abertura inválido',
  closing: 'Horário de fechamento inválido',
  lunchStart: 'Horário de almoço inválido',
  lunchEnd: 'Horário de final de almoço inválido',
  timezone: 'Fuso horário desconhecido',
  person: 'Informe um número',
  nobody: 'Escolha uma pessoa ativa',
  holidays: 'Informe os feriados com data e nome, cada data uma vez',
  address: 'Informe um endereço que comece com http:// ou https://',
  exclusive: 'Não combina com {{other}}: ligue um só',
  noPreview: 'Este ajuste não muda quem vê o quê',
  readOnly: 'Esta chave não se escreve',
} as const

export interface SettingFault {
  readonly code: keyof typeof SETTING_PROBLEMS
  readonly params?: Readonly<Record<string, string>>
}

/** How one setting is read and written. `read` gives undefined for a text that is no value; then `fault` says what is wrong. */
interface Definition<T> {
  readonly kind:
    | 'toggle'
    | 'option'
    | 'number'
    | 'time'
    | 'text'
    | 'address'
    | 'timezone'
    | 'person'
    | 'holidays'
    | 'secret'
  readonly section: Section
  readonly default: T
  readonly fault: SettingFault
  /** The values to choose from, where there are only some. */
  readonly options?: readonly T[]
  /** `owner`: user 1 alone may write it (spec 2 §6). */
  readonly writer?: 'owner'
  read(text: string): T | undefined
  write(value: T): string
}

/** A day of the company's own in the calendar (decisions-2 §12): `MM-DD` or `YYYY-MM-DD`; `open` takes a holiday away. */
export interface OwnHoliday {
  readonly date: string
  readonly name: string
  readonly open: boolean
}

export const SETTINGS = {
  timezone: zone('America/Sao_Paulo'),
  monday: toggle('schedule', true),
  tuesday: toggle('schedule', true),
  wednesday: toggle('schedule', true),
  thursday: toggle('schedule', true),
  friday: toggle('schedule', true),
  saturday: toggle('schedule'),
  sunday: toggle('schedule'),
  /** Whether holidays are worked. */
  holidays: toggle('schedule'),
  /** Whether Carnival and Corpus Christi are holidays. */
  optionalHolidays: toggle('schedule'),
  holidayDates: holidays(),
  horarioAbertura: time(8, 'opening'),
  horarioFechamento: time(18, 'closing'),
  horarioAlmoco: time(12, 'lunchStart'),
  horarioFimAlmoco: time(13, 'lunchEnd'),
  userApiToken: secret(),
  sendGreetingMessage: toggle('messages', true),
  sendOnlyOnce: toggle('messages'),
  /** Seconds. */
  greetingInterval: choice('messages', [10, 30, 60, 300, 1800, 3600, 7200, 21600, 43200, 86400, 172800], 3600),
  greetingWithQueue: toggle('messages'),
  CheckMsgIsGroup: toggle('messages'),
  CheckMsgFromCell: toggle('messages', true),
  /** Minutes; 0: always a new ticket. */
  timeCreateNewTicket: choice('messages', [0, 5, 10, 30, 60, 120, 300, 720, 1440], 0),
  /** Minutes. */
  closeNpsInterval: choice('messages', [1, 5, 10, 30, 60, 120, 300, 720, 1440], 60),
  queueCron: toggle('messages'),
  userCron: person('messages'),
  /** Minutes. */
  intervalCron: choice('messages', [2, 5, 10, 15, 30, 60], 10),
  closeCron: toggle('messages'),
  /** Minutes. */
  intervalClose: choice('messages', [10, 15, 30, 60, 180, 1440], 60),
  call: toggle('messages', true),
  activeBot: toggle('messages'),
  botCloseTicket: toggle('messages'),
  /** Minutes of silence after which a conversation with the bot is closed; 0: never. */
  botIdle: number('messages', [0, 1440], 60),
  generateProtocol: toggle('messages'),
  greetingProtocolGroup: toggle('messages'),
  allowAgendador: toggle('messages'),
  userCreation: toggle('messages'),
  blockImportContacts: { ...toggle('messages'), writer: 'owner' },
  /** Messages of sends a connection takes in a day. */
  dailyCap: number('messages', [1, 1_000_000], 1000),
  /** Months that the activity log is kept. */
  logMonths: number('messages', [1, 240], 24),
  /** Days until an erasure can no longer be taken back; 0: at once. */
  privacyGraceDays: number('messages', [0, 365], 7),
  sound: choice('messages', ['default', 'blub', 'experience', 'skype'], 'default'),
  msgOutOfTime: text(
    'messages',
    'Estamos fora do horário de atendimento. Deixe sua mensagem e retornaremos assim que possível.',
  ),
  mensagemTransfer: text('messages', 'Atendimento encaminhado para {{user}}, na fila {{queue}}.'),
  messageBot: text('messages', 'Desculpe, não encontrei uma resposta para a sua pergunta.'),
  optOutWord: optOut(),
  notificateAllTickets: toggle('viewing'),
  notifyGroupToAllUsers: toggle('viewing'),
  onlyAdminSeeEmptyQueue: toggle('viewing'),
  userShowAll: toggle('viewing'),
  userClosedQueues: toggle('viewing'),
  hierarchy: toggle('viewing'),
  groupPerUser: toggle('viewing'),
  historyByConnection: toggle('viewing'),
  historyByQueue: toggle('viewing'),
  historyByUser: toggle('viewing'),
  onlyTicketMsg: toggle('viewing'),
  adminChatInterno: toggle('viewing'),
  uriIframe: address('viewing'),
} as const

export type SettingKey = keyof typeof SETTINGS
/** All settings as the product uses them. */
export type Settings = { readonly [K in SettingKey]: (typeof SETTINGS)[K] extends Definition<infer T> ? T : never }
/** The settings that are switched on and off. */
export type ToggleKey = { [K in SettingKey]: Settings[K] extends boolean ? K : never }[SettingKey]

/** Toggles that exclude each other (spec 2 §4). */
const EXCLUSIVE: readonly (readonly [ToggleKey, ToggleKey])[] = [['historyByQueue', 'historyByUser']]

/** The settings that a value switches off: enabling one of two that exclude each other disables the other. */
export function switchedOffBy(key: SettingKey, text: string): ToggleKey[] {
  if (definitionOf(key).read(text) !== true) return []
  return EXCLUSIVE.flatMap(([a, b]) => (a === key ? [b] : b === key ? [a] : []))
}

/** The settings that change who sees which live tickets: what they would change can be looked at first (decisions-2 §18). */
export const PREVIEWED_SETTINGS = [
  'onlyAdminSeeEmptyQueue',
  'userShowAll',
  'userClosedQueues',
  'hierarchy',
  'groupPerUser',
] as const satisfies readonly ToggleKey[]
export type PreviewedSetting = (typeof PREVIEWED_SETTINGS)[number]

/** Whether what a setting would change can be looked at first. */
export function isPreviewed(key: string): key is PreviewedSetting {
  return PREVIEWED_SETTINGS.some(each => each === key)
}

/** Whether a text is the key of a setting. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key)
}

/** Settings a signed-in client may read; secrets stay with admins. */
export function isPublicSetting(key: SettingKey): boolean {
  return SETTINGS[key].kind !== 'secret'
}

/**
 * What is wrong with the text of a value, or null if it is fine.
 * @example settingFault('horarioAbertura', '25:00') // { code: 'opening' }
 */
export function settingFault(key: SettingKey, text: string): SettingFault | null {
  const { kind, fault, read } = definitionOf(key)
  return kind === 'secret' || read(text) === undefined ? fault : null
}

/**
 * What is wrong with several values that are saved together (decisions-2 §22): each by itself, and two that exclude each other.
 * @example settingFaults({ horarioAlmoco: '12:00', horarioFimAlmoco: '13:75' }) // { horarioFimAlmoco: { code: 'lunchEnd' } }
 */
export function settingFaults(values: Readonly<Record<string, string>>): Readonly<Record<string, SettingFault>> {
  const faults = Object.entries(values).flatMap(([key, text]): [string, SettingFault][] => {
    if (!isSettingKey(key)) return []
    const other = switchedOffBy(key, text).find(off => settingsIn(values)[off] === true)
    const fault = settingFault(key, text) ?? (other ? { code: 'exclusive' as const, params: { other } } : null)
    return fault ? [[key, fault]] : []
  })
  return Object.fromEntries(faults)
}

/** The text of a value as it is kept, or undefined for none; an empty text becomes the default where there is one (spec 2 §4). */
export function keptText(key: SettingKey, text: string): string | undefined {
  const { kind, default: usual, read, write } = definitionOf(key)
  const value = kind === 'text' && text.trim() === '' ? usual : read(text)
  return value === undefined ? undefined : write(value)
}

/** Who may write a setting: administrators, some of them the owner alone. */
export function mayWriteSetting(
  { id, profile }: { readonly id: number; readonly profile: string },
  key: SettingKey,
): boolean {
  return profile === 'admin' && (definitionOf(key).writer !== 'owner' || id === 1)
}

/** Settings from their texts; what is not there or makes no sense has its default. */
export function settingsFrom(texts: Readonly<Record<string, string>>): Settings {
  const settings = { ...DEFAULTS, ...settingsIn(texts) }
  // Two that exclude each other were never both saved; should they both be there, the first counts.
  for (const [one, other] of EXCLUSIVE) if (settings[one] && settings[other]) settings[other] = false
  return settings
}

/** The settings that are in some texts; unknown keys and what makes no sense are left out. */
export function settingsIn(texts: Readonly<Record<string, string>>): Partial<Settings> {
  const given = Object.entries(texts).flatMap(([key, text]) => {
    const value = isSettingKey(key) ? definitionOf(key).read(text) : undefined
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(given)
}

/** The texts of the values a setting has to choose from; none where it takes others. */
export function settingOptions(key: SettingKey): string[] {
  const { options = [], write } = definitionOf(key)
  return options.map(write)
}

/**
 * Settings as on the wire.
 * @example settingTexts({ horarioAbertura: 480 }) // [['horarioAbertura', '08:00']]
 */
export function settingTexts(settings: Partial<Settings>): [SettingKey, string][] {
  return Object.entries(settings).flatMap(([key, value]) =>
    isSettingKey(key) ? [[key, definitionOf(key).write(value)]] : [],
  )
}

function definitionOf(key: SettingKey): Definition<unknown> {
  return SETTINGS[key]
}

const defaults = Object.entries(SETTINGS).map(([key, definition]) => [key, definition.default])
/** Every setting as it comes. */
export const DEFAULTS: Settings = Object.fromEntries(defaults)

function toggle(section: Section, value = false): Definition<boolean> {
  return {
    kind: 'toggle',
    section,
    default: value,
    fault: { code: 'toggle' },
    read: text => (text === 'enabled' ? true : text === 'disabled' ? false : undefined),
    write: on => (on ? 'enabled' : 'disabled'),
  }
}

/** One of some numbers or words. */
function choice<const T extends number | string>(section: Section, options: readonly T[], value: T): Definition<T> {
  return {
    kind: 'option',
    section,
    options,
    default: value,
    fault: { code: 'option', params: { options: options.join(', ') } },
    read: text => options.find(option => String(option) === text),
    write: String,
  }
}

function number(section: Section, [least, most]: readonly [number, number], value: number): Definition<number> {
  return {
    kind: 'number',
    section,
    default: value,
    fault: { code: 'number', params: { least: String(least), most: String(most) } },
    read: text => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
    write: String,
  }
}

function text(section: Section, value: string, most = 4000): Definition<string> {
  return {
    kind: 'text',
    section,
    default: value,
    fault: { code: 'tooLong', params: { most: String(most) } },
    read: words => (words.length <= most ? words : undefined),
    write: words => words,
  }
}

/** A word nobody says when he means something else: a number chooses a line or rates, and one word takes it back. */
function optOut(): Definition<string> {
  return {
    ...text('messages', 'SAIR'),
    fault: { code: 'optOut' },
    read(words) {
      const isOne =
        words.trim() === '' || (/^\s*\p{L}/u.test(words) && ratingOf(words) === null && !isWord(words, BACK_WORD))
      return words.length <= 40 && isOne ? words : undefined
    },
  }
}

/** An address of the web, or none. */
function address(section: Section): Definition<string> {
  return {
    ...text(section, '', 2000),
    kind: 'address',
    fault: { code: 'address' },
    read: words => {
      const given = words.trim()
      return given === '' || (given.length <= 2000 && integrationAddress(given)) ? given : undefined
    },
  }
}

/** A time of day, in minutes since midnight; on the wire `HH:mm`. */
function time(hour: number, code: SettingFault['code']): Definition<number> {
  return {
    kind: 'time',
    section: 'schedule',
    default: hour * 60,
    fault: { code },
    read: text => (/^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? minutesOf(text) : undefined),
    write: minutes => [minutes / 60, minutes % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':'),
  }
}

function zone(value: string): Definition<string> {
  return {
    kind: 'timezone',
    section: 'schedule',
    default: value,
    fault: { code: 'timezone' },
    read: text => (isTimezone(text) ? text : undefined),
    write: text => text,
  }
}

/** A person's id, or nobody. */
function person(section: Section): Definition<number | null> {
  return {
    kind: 'person',
    section,
    default: null,
    fault: { code: 'person' },
    read: text => (text === '' ? null : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
    write: id => (id === null ? '' : String(id)),
  }
}

/** Made by the server, written by nobody. */
function secret(): Definition<string> {
  return { ...text('schedule', ''), kind: 'secret', fault: { code: 'readOnly' } }
}

function holidays(): Definition<readonly OwnHoliday[]> {
  return {
    kind: 'holidays',
    section: 'schedule',
    default: [],
    fault: { code: 'holidays' },
    read: holidaysOf,
    write: days => JSON.stringify(days),
  }
}

function holidaysOf(text: string): readonly OwnHoliday[] | undefined {
  try {
    const days: unknown = JSON.parse(text)
    if (!Array.isArray(days) || !days.every(isHoliday)) return undefined
    if (new Set(days.map(({ date }) => date)).size < days.length) return undefined
    return days.map(({ date, name, open }) => ({ date, name: name.trim(), open }))
  } catch {
    return undefined
  }
}

function isHoliday(day: unknown): day is OwnHoliday {
  if (typeof day !== 'object' || day === null || !('date' in day && 'name' in day && 'open' in day)) return false
  const { date, name, open } = day
  return (
    typeof date === 'string' &&
    isDay(date) &&
    typeof name === 'string' &&
    name.trim() !== '' &&
    name.length <= 100 &&
    typeof open === 'boolean'
  )
}

/** `MM-DD` or `YYYY-MM-DD` of a day there is; 29 February is one of every year that has it. */
function isDay(date: string): boolean {
  const [, year, month, day] = /^(?:(\d{4})-)?(\d\d)-(\d\d)$/.exec(date) ?? []
  const [inYear, inMonth] = [Number(year ?? 2024), Number(month)]
  return inMonth >= 1 && inMonth <= 12 && Number(day) >= 1 && Number(day) <= daysInMonth(inYear, inMonth)
}
