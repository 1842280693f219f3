// Every setting: key, default, section, what it accepts. The settings page, validation and behaviour read this one table (decisions §5).

type Toggle = { readonly kind: 'toggle'; readonly default: 'enabled' | 'disabled' }
type Choice = { readonly kind: 'choice'; readonly default: string; readonly options: readonly string[] }
type Text = { readonly kind: 'text'; readonly default: string; readonly maxLength: number }
type Time = { readonly kind: 'time'; readonly default: string }
type Reference = { readonly kind: 'reference'; readonly to: 'user'; readonly default: '' }
type Secret = { readonly kind: 'secret'; readonly default: '' }

export type Section = 'schedule' | 'messages' | 'viewing'
export type SettingDefinition = (Toggle | Choice | Text | Time | Reference | Secret) & { readonly section: Section }

function toggle(section: Section, value: 'enabled' | 'disabled' = 'disabled') {
  return { kind: 'toggle', section, default: value } as const
}
function choice<const O extends readonly string[]>(section: Section, options: O, value: O[number]) {
  return { kind: 'choice', section, options, default: value } as const
}
function text(section: Section, value = '', maxLength = 4000) {
  return { kind: 'text', section, default: value, maxLength } as const
}
function time(section: Section, value: string) {
  return { kind: 'time', section, default: value } as const
}

export const SETTINGS = {
  timezone: text('schedule', 'America/Sao_Paulo', 64),
  monday: toggle('schedule', 'enabled'),
  tuesday: toggle('schedule', 'enabled'),
  wednesday: toggle('schedule', 'enabled'),
  thursday: toggle('schedule', 'enabled'),
  friday: toggle('schedule', 'enabled'),
  saturday: toggle('schedule'),
  sunday: toggle('schedule'),
  holidays: toggle('schedule'),
  horarioAbertura: time('schedule', '08:00'),
  horarioFechamento: time('schedule', '18:00'),
  horarioAlmoco: time('schedule', '12:00'),
  horarioFimAlmoco: time('schedule', '13:00'),
  userApiToken: { kind: 'secret', section: 'schedule', default: '' },
  sendGreetingMessage: toggle('messages', 'enabled'),
  sendOnlyOnce: toggle('messages'),
  greetingInterval: choice(
    'messages',
    ['10', '30', '60', '300', '1800', '3600', '7200', '21600', '43200', '86400', '172800'],
    '3600',
  ),
  greetingWithQueue: toggle('messages'),
  CheckMsgIsGroup: toggle('messages'),
  CheckMsgFromCell: toggle('messages', 'enabled'),
  timeCreateNewTicket: choice('messages', ['0', '5', '10', '30', '60', '120', '300', '720', '1440'], '0'),
  closeNpsInterval: choice('messages', ['1', '5', '10', '30', '60', '120', '300', '720', '1440'], '60'),
  queueCron: toggle('messages'),
  userCron: { kind: 'reference', section: 'messages', to: 'user', default: '' },
  intervalCron: choice('messages', ['2', '5', '10', '15', '30', '60'], '10'),
  closeCron: toggle('messages'),
  intervalClose: choice('messages', ['10', '15', '30', '60', '180', '1440'], '60'),
  call: toggle('messages', 'enabled'),
  activeBot: toggle('messages'),
  botCloseTicket: toggle('messages'),
  generateProtocol: toggle('messages'),
  greetingProtocolGroup: toggle('messages'),
  allowAgendador: toggle('messages'),
  userCreation: toggle('messages'),
  blockImportContacts: toggle('messages'),
  sound: choice('messages', ['default', 'blub', 'experience', 'skype'], 'default'),
  msgOutOfTime: text(
    'messages',
    'Estamos fora do horário de atendimento. Deixe sua mensagem e retornaremos assim que possível.',
  ),
  mensagemTransfer: text('messages', 'Atendimento encaminhado para {{user}}, na fila {{queue}}.'),
  messageBot: text('messages', 'Desculpe, não encontrei uma resposta para a sua pergunta.'),
  optOutWord: text('messages', 'SAIR', 40),
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
  uriIframe: text('viewing', '', 2000),
} as const satisfies Record<string, SettingDefinition>

export type SettingKey = keyof typeof SETTINGS
export type SettingValues = Record<SettingKey, string>

/** Keys of toggles whose pairs exclude each other: enabling one disables the other (spec 2 §4). */
export const EXCLUSIVE: readonly (readonly [SettingKey, SettingKey])[] = [['historyByQueue', 'historyByUser']]

/** Settings a signed-in client may read; secrets stay with admins. */
export function isPublicSetting(key: SettingKey): boolean {
  return SETTINGS[key].kind !== 'secret'
}

/**
 * What is wrong with a value for a key, or null if it is fine.
 * @example settingProblem('horarioAbertura', '25:00') // 'Horário inválido'
 */
export function settingProblem(key: SettingKey, value: string): string | null {
  const definition: SettingDefinition = SETTINGS[key]
  switch (definition.kind) {
    case 'toggle':
      return value === 'enabled' || value === 'disabled' ? null : 'Use enabled ou disabled'
    case 'choice':
      return definition.options.includes(value) ? null : `Use um destes: ${definition.options.join(', ')}`
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? null : 'Horário inválido'
    case 'reference':
      return /^(\d{1,9})?$/.test(value) ? null : 'Informe um número'
    case 'text':
      return value.length <= definition.maxLength ? null : `No máximo ${definition.maxLength} caracteres`
    case 'secret':
      return 'Esta chave não se escreve'
  }
}
