// Which settings stand where: the groups of the page, and what each row holds. Those of one row are saved together.
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
      one('optionalHolidays', 'toggle'),
      one('holidayDates', 'holidays'),
      one('timezone', 'zone'),
    ],
  },
  {
    id: 'messages',
    items: [
      one('msgOutOfTime', 'text'),
      one('sendGreetingMessage', 'toggle'),
      row('sendOnlyOnce', 'toggle', 'sendOnlyOnce', 'greetingInterval'),
      one('greetingWithQueue', 'toggle'),
      one('mensagemTransfer', 'text'),
      one('messageBot', 'text'),
      one('timeCreateNewTicket', 'choice'),
      one('thanksMinutes', 'choice'),
      one('closeNpsInterval', 'choice'),
      one('generateProtocol', 'toggle'),
      one('greetingProtocolGroup', 'toggle'),
      one('CheckMsgIsGroup', 'toggle'),
      one('CheckMsgFromCell', 'toggle'),
      one('call', 'toggle'),
      one('optOutWord', 'text'),
    ],
  },
  {
    id: 'viewing',
    items: [
      one('onlyAdminSeeEmptyQueue', 'toggle'),
      one('userShowAll', 'toggle'),
      one('userClosedQueues', 'toggle'),
      one('hierarchy', 'toggle'),
      one('groupPerUser', 'toggle'),
      one('historyByConnection', 'toggle'),
      one('historyByQueue', 'toggle'),
      one('historyByUser', 'toggle'),
      one('onlyTicketMsg', 'toggle'),
      one('adminChatInterno', 'toggle'),
      one('uriIframe', 'text'),
    ],
  },
  {
    id: 'automation',
    items: [
      row('queueCron', 'toggle', 'queueCron', 'intervalCron'),
      one('userCron', 'person'),
      row('closeCron', 'toggle', 'closeCron', 'intervalClose'),
      one('activeBot', 'toggle'),
      one('botCloseTicket', 'toggle'),
      one('botIdle', 'number'),
      one('allowAgendador', 'toggle'),
      one('dailyCap', 'number'),
    ],
  },
  {
    id: 'notices',
    items: [one('sound', 'choice'), one('notificateAllTickets', 'toggle'), one('notifyGroupToAllUsers', 'toggle')],
  },
  {
    id: 'system',
    items: [
      one('userApiToken', 'token'),
      { id: 'backendUrl', kind: 'url', keys: [] },
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
