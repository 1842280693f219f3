// Every setting in one table: kind, section, default, check, who may write it (decisions §5). On the wire and in the database a value
// is the specification's text; everywhere else it is what `parseSettings` has read out of it: a boolean, a number, a time, a text.
import { isOptOutWordClear } from './opt-out-word.ts'
import {
  defineAddress,
  defineChoice,
  defineHolidays,
  defineNumber,
  defineOptOutWord,
  definePerson,
  defineSecret,
  defineText,
  defineTime,
  defineTimezone,
  defineToggle,
  type SettingDefinition,
  type SettingFault,
} from './setting-kinds.ts'

export type { CompanyHoliday, SettingFault, SettingsSection } from './setting-kinds.ts'

export const SETTINGS = {
  timezone: defineTimezone('America/Sao_Paulo'),
  monday: defineToggle('schedule', true),
  tuesday: defineToggle('schedule', true),
  wednesday: defineToggle('schedule', true),
  thursday: defineToggle('schedule', true),
  friday: defineToggle('schedule', true),
  saturday: defineToggle('schedule'),
  sunday: defineToggle('schedule'),
  /** Whether holidays are worked. */
  holidays: defineToggle('schedule'),
  /** Whether Carnival and Corpus Christi are holidays. */
  optionalHolidays: defineToggle('schedule'),
  holidayDates: defineHolidays(),
  horarioAbertura: defineTime(8, 'opening'),
  horarioFechamento: defineTime(18, 'closing'),
  horarioAlmoco: defineTime(12, 'lunchStart'),
  horarioFimAlmoco: defineTime(13, 'lunchEnd'),
  userApiToken: defineSecret(),
  sendGreetingMessage: defineToggle('messages', true),
  sendOnlyOnce: defineToggle('messages'),
  /** Seconds. */
  greetingInterval: defineChoice('messages', [10, 30, 60, 300, 1800, 3600, 7200, 21600, 43200, 86400, 172800], 3600),
  greetingWithQueue: defineToggle('messages'),
  CheckMsgIsGroup: defineToggle('messages'),
  CheckMsgFromCell: defineToggle('messages', true),
  /** Minutes; 0: always a new ticket. */
  timeCreateNewTicket: defineChoice('messages', [0, 5, 10, 30, 60, 120, 300, 720, 1440], 0),
  /** Minutes after closing in which thanks are kept in the closed ticket; 0: never. */
  thanksMinutes: defineChoice('messages', [0, 5, 10, 30, 60], 10),
  /** Minutes. */
  closeNpsInterval: defineChoice('messages', [1, 5, 10, 30, 60, 120, 300, 720, 1440], 60),
  queueCron: defineToggle('messages'),
  userCron: definePerson('messages'),
  /** Minutes. */
  intervalCron: defineChoice('messages', [2, 5, 10, 15, 30, 60], 10),
  closeCron: defineToggle('messages'),
  /** Minutes. */
  intervalClose: defineChoice('messages', [10, 15, 30, 60, 180, 1440], 60),
  call: defineToggle('messages', true),
  activeBot: defineToggle('messages'),
  botCloseTicket: defineToggle('messages'),
  /** Minutes of silence after which a conversation with the bot is closed; 0: never. */
  botIdle: defineNumber('messages', [0, 1440], 60),
  /** Whether the AI helps to write; without it no text is sent to it for that. Summaries and transcriptions go by its key alone (0324). */
  aiAssist: defineToggle('messages'),
  /** Whether the server asks pages what they are; what WhatsApp sends along is shown without it. */
  linkPreviews: defineToggle('messages'),
  generateProtocol: defineToggle('messages'),
  greetingProtocolGroup: defineToggle('messages'),
  allowAgendador: defineToggle('messages'),
  userCreation: defineToggle('messages'),
  blockImportContacts: { ...defineToggle('messages'), writer: 'owner' },
  /** Messages of sends a connection takes in a day. */
  dailyCap: defineNumber('messages', [1, 1_000_000], 1000),
  /** Months that the activity log is kept. */
  logMonths: defineNumber('messages', [1, 240], 24),
  /** Days until an erasure can no longer be taken back; 0: at once. */
  privacyGraceDays: defineNumber('messages', [0, 365], 7),
  sound: defineChoice('messages', ['default', 'blub', 'experience', 'skype'], 'default'),
  msgOutOfTime: defineText(
    'messages',
    'Estamos fora do horário de atendimento. Deixe sua mensagem e retornaremos assim que possível.',
  ),
  mensagemTransfer: defineText('messages', 'Atendimento encaminhado para {{user}}, na fila {{queue}}.'),
  messageBot: defineText('messages', 'Desculpe, não encontrei uma resposta para a sua pergunta.'),
  optOutWord: defineOptOutWord(),
  notificateAllTickets: defineToggle('viewing'),
  notifyGroupToAllUsers: defineToggle('viewing'),
  onlyAdminSeeEmptyQueue: defineToggle('viewing'),
  userShowAll: defineToggle('viewing'),
  userClosedQueues: defineToggle('viewing'),
  hierarchy: defineToggle('viewing'),
  groupPerUser: defineToggle('viewing'),
  historyByConnection: defineToggle('viewing'),
  historyByQueue: defineToggle('viewing'),
  historyByUser: defineToggle('viewing'),
  onlyTicketMsg: defineToggle('viewing'),
  adminChatInterno: defineToggle('viewing'),
  uriIframe: defineAddress('viewing'),
} as const

export type SettingKey = keyof typeof SETTINGS
/** All settings as the product uses them. */
export type Settings = {
  readonly [K in SettingKey]: (typeof SETTINGS)[K] extends SettingDefinition<infer T> ? T : never
}
/** The settings that are switched on and off. */
export type ToggleKey = { [K in SettingKey]: Settings[K] extends boolean ? K : never }[SettingKey]

/** Toggles that exclude each other (spec 2 §4). */
const EXCLUSIVE: readonly (readonly [ToggleKey, ToggleKey])[] = [['historyByQueue', 'historyByUser']]

/** The settings that a value switches off: enabling one of two that exclude each other disables the other. */
export function listSettingsSwitchedOff(key: SettingKey, text: string): ToggleKey[] {
  if (getSettingDefinition(key).read(text) !== true) return []
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
 * @example findSettingFault('horarioAbertura', '25:00') // { code: 'opening' }
 */
export function findSettingFault(key: SettingKey, text: string): SettingFault | null {
  const { kind, fault, read } = getSettingDefinition(key)
  const isUnclear = key === 'optOutWord' && !isOptOutWordClear(text)
  return kind === 'secret' || isUnclear || read(text) === undefined ? fault : null
}

/**
 * What is wrong with several values that are saved together (decisions-2 §22): each by itself, and two that exclude each other.
 * @example validateSettings({ horarioAlmoco: '12:00', horarioFimAlmoco: '13:75' }) // { horarioFimAlmoco: { code: 'lunchEnd' } }
 */
export function validateSettings(values: Readonly<Record<string, string>>): Readonly<Record<string, SettingFault>> {
  const faults = Object.entries(values).flatMap(([key, text]): [string, SettingFault][] => {
    if (!isSettingKey(key)) return []
    const other = listSettingsSwitchedOff(key, text).find(off => parseKnownSettings(values)[off] === true)
    const fault = findSettingFault(key, text) ?? (other ? { code: 'exclusive' as const, params: { other } } : null)
    return fault ? [[key, fault]] : []
  })
  return Object.fromEntries(faults)
}

/** The text of a value as it is kept, or undefined for none; an empty text becomes the default where there is one (spec 2 §4). */
export function normalizeSettingText(key: SettingKey, text: string): string | undefined {
  const { kind, default: usual, read, write } = getSettingDefinition(key)
  const value = kind === 'text' && text.trim() === '' ? usual : read(text)
  return value === undefined ? undefined : write(value)
}

/** Who may write a setting: administrators, some of them the owner alone. */
export function canWriteSetting(
  { id, profile }: { readonly id: number; readonly profile: string },
  key: SettingKey,
): boolean {
  return profile === 'admin' && (getSettingDefinition(key).writer !== 'owner' || id === 1)
}

/** Who may read a setting: what the owner alone writes is shown to nobody else (spec 2 §5). */
export function canReadSetting(
  { id, profile }: { readonly id: number; readonly profile: string },
  key: SettingKey,
): boolean {
  if (getSettingDefinition(key).writer === 'owner') return id === 1
  return profile === 'admin' || isPublicSetting(key)
}

/** Settings from their texts; what is not there or makes no sense has its default. */
export function parseSettings(texts: Readonly<Record<string, string>>): Settings {
  const settings = { ...DEFAULTS, ...parseKnownSettings(texts) }
  if (!isOptOutWordClear(settings.optOutWord)) settings.optOutWord = DEFAULTS.optOutWord
  // Two that exclude each other were never both saved; should they both be there, the first counts.
  for (const [one, other] of EXCLUSIVE) if (settings[one] && settings[other]) settings[other] = false
  return settings
}

/** The settings that are in some texts; unknown keys and what makes no sense are left out. */
export function parseKnownSettings(texts: Readonly<Record<string, string>>): Partial<Settings> {
  const changes = Object.entries(texts).flatMap(([key, text]) => {
    const value = isSettingKey(key) ? getSettingDefinition(key).read(text) : undefined
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(changes)
}

/** The texts of the values a setting has to choose from; none where it takes others. */
export function listSettingOptions(key: SettingKey): string[] {
  const { options = [], write } = getSettingDefinition(key)
  return options.map(write)
}

/**
 * Settings as on the wire.
 * @example toSettingTexts({ horarioAbertura: 480 }) // [['horarioAbertura', '08:00']]
 */
export function toSettingTexts(settings: Partial<Settings>): [SettingKey, string][] {
  return Object.entries(settings).flatMap(([key, value]) =>
    isSettingKey(key) ? [[key, getSettingDefinition(key).write(value)]] : [],
  )
}

function getSettingDefinition(key: SettingKey): SettingDefinition<unknown> {
  return SETTINGS[key]
}

const defaults = Object.entries(SETTINGS).map(([key, definition]) => [key, definition.default])
/** Every setting as it comes. */
export const DEFAULTS: Settings = Object.fromEntries(defaults)
