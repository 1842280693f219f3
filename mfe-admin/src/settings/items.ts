// Which settings stand where: the groups, each a page of its own, and what each row holds. Those of one row are saved together.
import type { SettingKey } from '@balcao/contract/settings/settings'

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

export interface SettingGroup {
  readonly id: string
  readonly items: readonly Item[]
}

/** Kept, and without an effect before there is something for them to act on: a row that does nothing stands nowhere. */
export const NOT_SHOWN: ReadonlySet<SettingKey> = new Set(['privacyGraceDays'])

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'holidays'] as const

export const GROUPS: readonly SettingGroup[] = [
  {
    id: 'schedule',
    items: [
      { id: 'days', kind: 'days', keys: DAYS },
      makeItemGroup('hours', 'times', 'horarioAbertura', 'horarioFechamento'),
      makeItemGroup('lunch', 'times', 'horarioAlmoco', 'horarioFimAlmoco'),
      makeItem('timezone', 'zone'),
    ],
  },
  { id: 'holidays', items: [makeItem('optionalHolidays', 'toggle'), makeItem('holidayDates', 'holidays')] },
  {
    id: 'messages',
    items: [
      makeItem('sendGreetingMessage', 'toggle'),
      makeItemGroup('sendOnlyOnce', 'toggle', 'sendOnlyOnce', 'greetingInterval'),
      makeItem('greetingWithQueue', 'toggle'),
      makeItem('msgOutOfTime', 'text'),
      makeItem('mensagemTransfer', 'text'),
    ],
  },
  {
    id: 'tickets',
    items: [
      makeItemGroup('queueCron', 'toggle', 'queueCron', 'intervalCron'),
      makeItem('userCron', 'person'),
      makeItemGroup('closeCron', 'toggle', 'closeCron', 'intervalClose'),
      makeItem('generateProtocol', 'toggle'),
      makeItem('greetingProtocolGroup', 'toggle'),
      makeItem('closeNpsInterval', 'choice'),
      makeItem('thanksMinutes', 'choice'),
      makeItem('timeCreateNewTicket', 'choice'),
    ],
  },
  {
    id: 'incoming',
    items: [makeItem('CheckMsgIsGroup', 'toggle'), makeItem('CheckMsgFromCell', 'toggle'), makeItem('call', 'toggle')],
  },
  {
    id: 'viewing',
    items: [
      makeItem('onlyAdminSeeEmptyQueue', 'toggle'),
      makeItem('userShowAll', 'toggle'),
      makeItem('userClosedQueues', 'toggle'),
      makeItem('hierarchy', 'toggle'),
      makeItem('groupPerUser', 'toggle'),
      makeItem('adminChatInterno', 'toggle'),
    ],
  },
  {
    id: 'history',
    items: [
      makeItem('historyByConnection', 'toggle'),
      makeItem('historyByQueue', 'toggle'),
      makeItem('historyByUser', 'toggle'),
      makeItem('onlyTicketMsg', 'toggle'),
    ],
  },
  {
    id: 'bot',
    items: [
      makeItem('activeBot', 'toggle'),
      makeItem('messageBot', 'text'),
      makeItem('botCloseTicket', 'toggle'),
      makeItem('botIdle', 'number'),
      makeItem('aiAssist', 'toggle'),
    ],
  },
  {
    id: 'sends',
    items: [makeItem('allowAgendador', 'toggle'), makeItem('dailyCap', 'number'), makeItem('optOutWord', 'text')],
  },
  {
    id: 'notices',
    items: [
      makeItem('sound', 'choice'),
      makeItem('notificateAllTickets', 'toggle'),
      makeItem('notifyGroupToAllUsers', 'toggle'),
    ],
  },
  {
    id: 'system',
    items: [
      makeItem('userApiToken', 'token'),
      { id: 'backendUrl', kind: 'url', keys: [] },
      makeItem('uriIframe', 'text'),
      makeItem('linkPreviews', 'toggle'),
      makeItem('userCreation', 'toggle'),
      makeItem('blockImportContacts', 'toggle'),
      makeItem('logMonths', 'number'),
      makeItem('privacyGraceDays', 'number'),
    ],
  },
]

function makeItem(key: SettingKey, kind: ItemKind): Item {
  return { id: key, kind, keys: [key] }
}

function makeItemGroup(id: string, kind: ItemKind, ...keys: readonly SettingKey[]): Item {
  return { id, kind, keys }
}
