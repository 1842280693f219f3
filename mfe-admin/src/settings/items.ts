// Which settings stand where: the groups, each a page of its own, and what each row holds. Those of one row are saved together.
import type { SettingKey } from '@balcao/contract/settings'

export type ItemKind =
  | 'toggle'
  | 'choice'
  | 'text'
  | 'number'
  | 'times'
  | 'days'
  | 'zone'
  | 'person'
  | 'holidays'
  | 'token'
  | 'url'

/** One row. Its words are found under `set.<id>`. */
export interface Item {
  readonly id: string
  readonly kind: ItemKind
  readonly keys: readonly SettingKey[]
}

export interface Group {
  readonly id: string
  readonly items: readonly Item[]
}

/** Kept, and without an effect before there is something for them to act on: a row that does nothing stands nowhere. */
export const NOT_SHOWN: ReadonlySet<SettingKey> = new Set(['privacyGraceDays'])

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'holidays'] as const

export const GROUPS: readonly Group[] = [
  {
    id: 'schedule',
    items: [
      { id: 'days', kind: 'days', keys: DAYS },
      row('hours', 'times', 'horarioAbertura', 'horarioFechamento'),
      row('lunch', 'times', 'horarioAlmoco', 'horarioFimAlmoco'),
      one('timezone', 'zone'),
    ],
  },
  { id: 'holidays', items: [one('optionalHolidays', 'toggle'), one('holidayDates', 'holidays')] },
  {
    id: 'messages',
    items: [
      one('sendGreetingMessage', 'toggle'),
      row('sendOnlyOnce', 'toggle', 'sendOnlyOnce', 'greetingInterval'),
      one('greetingWithQueue', 'toggle'),
      one('msgOutOfTime', 'text'),
      one('mensagemTransfer', 'text'),
    ],
  },
  {
    id: 'tickets',
    items: [
      row('queueCron', 'toggle', 'queueCron', 'intervalCron'),
      one('userCron', 'person'),
      row('closeCron', 'toggle', 'closeCron', 'intervalClose'),
      one('generateProtocol', 'toggle'),
      one('greetingProtocolGroup', 'toggle'),
      one('closeNpsInterval', 'choice'),
      one('thanksMinutes', 'choice'),
      one('timeCreateNewTicket', 'choice'),
    ],
  },
  {
    id: 'incoming',
    items: [one('CheckMsgIsGroup', 'toggle'), one('CheckMsgFromCell', 'toggle'), one('call', 'toggle')],
  },
  {
    id: 'viewing',
    items: [
      one('onlyAdminSeeEmptyQueue', 'toggle'),
      one('userShowAll', 'toggle'),
      one('userClosedQueues', 'toggle'),
      one('hierarchy', 'toggle'),
      one('groupPerUser', 'toggle'),
      one('adminChatInterno', 'toggle'),
    ],
  },
  {
    id: 'history',
    items: [
      one('historyByConnection', 'toggle'),
      one('historyByQueue', 'toggle'),
      one('historyByUser', 'toggle'),
      one('onlyTicketMsg', 'toggle'),
    ],
  },
  {
    id: 'bot',
    items: [
      one('activeBot', 'toggle'),
      one('messageBot', 'text'),
      one('botCloseTicket', 'toggle'),
      one('botIdle', 'number'),
    ],
  },
  { id: 'sends', items: [one('allowAgendador', 'toggle'), one('dailyCap', 'number'), one('optOutWord', 'text')] },
  {
    id: 'notices',
    items: [one('sound', 'choice'), one('notificateAllTickets', 'toggle'), one('notifyGroupToAllUsers', 'toggle')],
  },
  {
    id: 'system',
    items: [
      one('userApiToken', 'token'),
      { id: 'backendUrl', kind: 'url', keys: [] },
      one('uriIframe', 'text'),
      one('userCreation', 'toggle'),
      one('blockImportContacts', 'toggle'),
      one('logMonths', 'number'),
      one('privacyGraceDays', 'number'),
    ],
  },
]

function one(key: SettingKey, kind: ItemKind): Item {
  return { id: key, kind, keys: [key] }
}

function row(id: string, kind: ItemKind, ...keys: readonly SettingKey[]): Item {
  return { id, kind, keys }
}
