import { describe, expect, test } from 'bun:test'
import { type AccessSettings, canSeeTicket, type Viewer } from '../src/access.ts'
import {
  explainNotice,
  findNoticeReason,
  isWaitingInBell,
  type NoticeFacts,
  type NoticeSettings,
  shouldNotifyOfChatMessage,
} from '../src/notifications/notifications.ts'
import { TICKET_STATUSES } from '../src/tickets/ticket.ts'
import { PROFILES } from '../src/users/user.ts'

const NOTHING: AccessSettings = {
  onlyAdminSeeEmptyQueue: false,
  userShowAll: false,
  userClosedQueues: false,
  groupPerUser: false,
  hierarchy: false,
  adminChatInterno: false,
}
const QUIET: NoticeSettings = { notificateAllTickets: false, notifyGroupToAllUsers: false }
const attendant: Viewer = { id: 7, profile: 'user', queueIds: [1] }
const manager: Viewer = { id: 8, profile: 'gerente', queueIds: [1] }
const admin: Viewer = { id: 9, profile: 'admin', queueIds: [1] }
const waiting: NoticeFacts = {
  status: 'pending',
  queueId: 1,
  userId: null,
  ownerProfile: null,
  isGroup: false,
  queueStaffed: true,
}
const colleagues: NoticeFacts = { ...waiting, status: 'open', userId: 50, ownerProfile: 'user' }

describe('spec 1 §4: who is told', () => {
  test('of what waits in the own queues, and of what is one’s own', () => {
    for (const viewer of [attendant, manager, admin]) {
      expect(findRule(viewer, waiting)).toBe('own_queue')
      expect(findRule(viewer, { ...waiting, status: 'open', userId: viewer.id })).toBe('own')
    }
    expect(findRule(admin, { ...waiting, queueId: 2 })).toBe('other_queue_quiet')
    expect(findRule(attendant, { ...waiting, queueId: 2 })).toBe('unseen')
  })

  test('with notificateAllTickets of every ticket one may see, also of other queues and of colleagues', () => {
    const all = { ...QUIET, notificateAllTickets: true }
    expect(findRule(admin, { ...waiting, queueId: 2 }, all)).toBe('all')
    expect(findRule(manager, colleagues)).toBe('colleague_quiet')
    expect(findRule(manager, colleagues, all)).toBe('all')
    expect(findRule(attendant, colleagues, all)).toBe('unseen')
  })

  test('but never of tickets in queues that nobody has, unless they are one’s own', () => {
    const all = { ...QUIET, notificateAllTickets: true }
    const nobodys = { ...waiting, queueId: 3, queueStaffed: false }
    expect(findRule(admin, nobodys, all)).toBe('unstaffed_queue')
    expect(findRule(admin, { ...nobodys, status: 'open', userId: admin.id }, all)).toBe('own')
  })

  test('of group messages the assigned user alone, or everybody who may see them with notifyGroupToAllUsers', () => {
    const group = { ...colleagues, isGroup: true }
    const loud = { ...QUIET, notifyGroupToAllUsers: true }
    expect(findRule(attendant, group)).toBe('group_quiet')
    expect(findRule(attendant, { ...group, userId: attendant.id })).toBe('own')
    expect(findRule(attendant, group, loud)).toBe('group')
    expect(findRule(admin, { ...group, queueId: 2 }, loud)).toBe('group')
    expect(findRule(attendant, group, loud, { ...NOTHING, groupPerUser: true })).toBe('unseen')
  })

  test('of tickets without a queue everybody; with onlyAdminSeeEmptyQueue neither user nor gerente', () => {
    const queueless = { ...waiting, queueId: null }
    const only = { ...NOTHING, onlyAdminSeeEmptyQueue: true }
    expect([attendant, manager, admin].map(viewer => findRule(viewer, queueless))).toEqual(Array(3).fill('no_queue'))
    expect([attendant, manager, admin].map(viewer => findRule(viewer, queueless, QUIET, only))).toEqual([
      'unseen',
      'unseen',
      'no_queue',
    ])
  })

  test('of nothing that the bot has or that is closed', () => {
    for (const status of ['bot', 'nps', 'closed'] as const)
      expect(findRule(admin, { ...waiting, status })).toBe('not_waiting')
  })

  test('never of a ticket one may not see, whatever the settings', () => {
    for (const { viewer, ticket, access, settings } of everything())
      if (explainNotice(viewer, ticket, { ...access, ...settings }).told)
        expect(canSeeTicket(viewer, ticket, access)).toBe(true)
  })
})

describe('spec 1 §4: what one is told', () => {
  const message = { action: 'updateUnread', before: null, after: waiting, unreadMessages: 1, by: null } as const

  test('that a customer wrote', () => {
    expect(findReason(attendant, message)).toBe('message')
    expect(findReason(attendant, { ...message, action: 'create' })).toBe('message')
    expect(findReason(attendant, { ...message, action: 'update' })).toBeNull()
  })

  test('that a ticket came to wait in one’s queue, or was given to one; not what one did oneself', () => {
    const returned = { action: 'update', before: colleagues, after: waiting, unreadMessages: 0, by: 50 } as const
    expect(findReason(attendant, returned)).toBe('arrived')
    expect(findReason(attendant, { ...returned, by: attendant.id })).toBeNull()
    const facts = { ...returned, after: { ...colleagues, userId: attendant.id } }
    expect(findReason(attendant, facts)).toBe('assigned')
    expect(findReason(attendant, { ...facts, by: attendant.id })).toBeNull()
    expect(findReason(attendant, { ...facts, before: facts.after })).toBeNull()
  })

  test('not that something changed in what waited already', () => {
    const moved = { action: 'update', before: waiting, after: waiting, unreadMessages: 2, by: 50 } as const
    expect(findReason(attendant, moved)).toBeNull()
    expect(findReason(attendant, { ...moved, before: { ...waiting, queueId: 2 } })).toBe('arrived')
  })

  test('never anything of a ticket one may not see', () => {
    for (const { viewer, ticket, access, settings } of everything()) {
      if (canSeeTicket(viewer, ticket, access)) continue
      for (const action of ['create', 'update', 'updateUnread'] as const) {
        const change = { action, before: waiting, after: ticket, unreadMessages: 1, by: null }
        expect(findNoticeReason(viewer, change, { ...access, ...settings })).toBeNull()
      }
    }
  })

  test('in the bell stands what waits for a person or has something unread', () => {
    expect(isWaitingInBell({ status: 'pending' }, 0)).toBe(true)
    expect(isWaitingInBell({ status: 'open' }, 0)).toBe(false)
    expect(isWaitingInBell({ status: 'paused' }, 1)).toBe(true)
    expect(isWaitingInBell({ status: 'closed' }, 1)).toBe(false)
  })
})

test('of an internal chat those in it are told, but for the one who wrote', () => {
  const chat = { userIds: [7, 8] }
  expect([7, 8, 9].filter(id => shouldNotifyOfChatMessage({ id }, chat, 8))).toEqual([7])
})

function findRule(viewer: Viewer, ticket: NoticeFacts, settings = QUIET, access = NOTHING) {
  return explainNotice(viewer, ticket, { ...access, ...settings }).rule
}

function findReason(viewer: Viewer, change: Parameters<typeof findNoticeReason>[1]) {
  return findNoticeReason(viewer, change, { ...NOTHING, ...QUIET })
}

/** Every kind of person, ticket and settings there is. */
function* everything() {
  const booleans = [false, true]
  for (const profile of PROFILES)
    for (const queueIds of [[], [1]])
      for (const status of TICKET_STATUSES)
        for (const queueId of [null, 1, 2])
          for (const [userId, ownerProfile] of [
            [null, null],
            [7, profile],
            ...PROFILES.map(owner => [50, owner] as const),
          ] as const)
            for (const isGroup of booleans)
              for (const queueStaffed of booleans)
                for (let bits = 0; bits < 128; bits++) {
                  const on = (at: number) => (bits & (1 << at)) !== 0
                  yield {
                    viewer: { id: 7, profile, queueIds },
                    ticket: { status, queueId, userId, ownerProfile, isGroup, queueStaffed },
                    access: {
                      onlyAdminSeeEmptyQueue: on(0),
                      userShowAll: on(1),
                      userClosedQueues: on(2),
                      groupPerUser: on(3),
                      hierarchy: on(4),
                      adminChatInterno: false,
                    },
                    settings: { notificateAllTickets: on(5), notifyGroupToAllUsers: on(6) },
                  }
                }
}
