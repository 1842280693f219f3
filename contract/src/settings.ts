// Every setting in one table: kind, section, default, check, who may write it (decisions §5). On the wire and in the database a value
// is the specification's text; everywhere else it is what `settingsFrom` has read out of it: a boolean, a number, a time, a text.
import {
  address,
  choice,
  type Definition,
  holidays,
  number,
  optOut,
  person,
  type SettingFault,
  secret,
  text,
  time,
  toggle,
  zone,
} from './setting-kinds.ts'

export { type OwnHoliday, SETTING_PROBLEMS, type Section, type SettingFault } from './setting-kinds.ts'

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
  /** Minutes after closing in which thanks are kept in the closed ticket; 0: never. */
  thanksMinutes: choice('messages', [0, 5, 10, 30, 60], 10),
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

/** Who may read a setting: what the owner alone writes is shown to nobody else (spec 2 §5). */
export function mayReadSetting(
  { id, profile }: { readonly id: number; readonly profile: string },
  key: SettingKey,
): boolean {
  if (definitionOf(key).writer === 'owner') return id === 1
  return profile === 'admin' || isPublicSetting(key)
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
