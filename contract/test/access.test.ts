import { describe, expect, test } from 'bun:test'
import {
  type AccessSettings,
  canUseArea,
  explainTicket,
  type TicketFacts,
  toAudienceKey,
  type Viewer,
} from '../src/access.ts'
import { TICKET_STATUSES } from '../src/tickets/ticket.ts'

const none: AccessSettings = {
  onlyAdminSeeEmptyQueue: false,
  userShowAll: false,
  userClosedQueues: false,
  groupPerUser: false,
  hierarchy: false,
  adminChatInterno: false,
}
const attendant: Viewer = { id: 7, profile: 'user', queueIds: [1] }
const manager: Viewer = { id: 8, profile: 'gerente', queueIds: [1] }
const admin: Viewer = { id: 9, profile: 'admin', queueIds: [] }
const colleagues: TicketFacts = { status: 'open', queueId: 1, userId: 50, ownerProfile: 'user', isGroup: false }

describe('who may see a ticket', () => {
  test('an admin sees every ticket, whatever its queue', () => {
    expect(
      explainTicket(admin, { ...colleagues, queueId: 99 }, { ...none, onlyAdminSeeEmptyQueue: true, hierarchy: true })
        .rule,
    ).toBe('admin')
  })

  test('everybody else sees only tickets of the own queues, even an assigned one', () => {
    for (const viewer of [attendant, manager]) {
      expect(explainTicket(viewer, { ...colleagues, queueId: 2, userId: viewer.id }, none)).toEqual({
        allowed: false,
        rule: 'other_queue',
      })
    }
  })

  test('tickets without a queue are seen by all, unless onlyAdminSeeEmptyQueue', () => {
    const empty: TicketFacts = { ...colleagues, queueId: null, userId: null, ownerProfile: null }
    expect(explainTicket(attendant, empty, none).allowed).toBe(true)
    expect(explainTicket(manager, empty, { ...none, onlyAdminSeeEmptyQueue: true }).rule).toBe('no_queue_hidden')
  })

  test("a manager sees colleagues' tickets, open and closed, but with hierarchy none of admins or other managers", () => {
    expect(explainTicket(manager, { ...colleagues, status: 'closed' }, none).rule).toBe('manager')
    for (const ownerProfile of ['admin', 'gerente'] as const) {
      expect(explainTicket(manager, { ...colleagues, ownerProfile }, { ...none, hierarchy: true }).rule).toBe(
        'above_in_hierarchy',
      )
    }
    expect(
      explainTicket(
        manager,
        { ...colleagues, userId: manager.id, ownerProfile: 'gerente' },
        { ...none, hierarchy: true },
      ).rule,
    ).toBe('own')
  })

  test("an attendant sees colleagues' live tickets only with userShowAll, closed ones only with userClosedQueues", () => {
    expect(explainTicket(attendant, colleagues, none).allowed).toBe(false)
    expect(explainTicket(attendant, colleagues, { ...none, userShowAll: true }).allowed).toBe(true)
    expect(explainTicket(attendant, { ...colleagues, status: 'closed' }, { ...none, userShowAll: true }).allowed).toBe(
      false,
    )
    expect(
      explainTicket(attendant, { ...colleagues, status: 'closed' }, { ...none, userClosedQueues: true }).allowed,
    ).toBe(true)
  })

  test('groups of colleagues are seen unless groupPerUser', () => {
    expect(explainTicket(attendant, { ...colleagues, isGroup: true }, none).rule).toBe('group')
    expect(
      explainTicket(attendant, { ...colleagues, isGroup: true }, { ...none, userShowAll: true, groupPerUser: true })
        .allowed,
    ).toBe(false)
  })

  test('with hierarchy nobody but admins sees what is assigned to an admin or another manager, live or closed, group or not', () => {
    const open = { ...none, userShowAll: true, userClosedQueues: true }
    for (const viewer of [attendant, manager])
      for (const status of TICKET_STATUSES)
        for (const isGroup of [false, true])
          for (const ownerProfile of ['admin', 'gerente', 'user'] as const) {
            const ticket: TicketFacts = { ...colleagues, status, isGroup, ownerProfile }
            expect(explainTicket(viewer, ticket, open).allowed).toBe(true)
            expect(explainTicket(viewer, ticket, { ...open, hierarchy: true }).allowed).toBe(ownerProfile === 'user')
          }
  })

  test('hierarchy shows nothing that the other settings hide', () => {
    for (const status of TICKET_STATUSES)
      for (const isGroup of [false, true]) {
        const hidden = explainTicket(attendant, { ...colleagues, status, isGroup }, { ...none, groupPerUser: true })
        const still = explainTicket(
          attendant,
          { ...colleagues, status, isGroup },
          { ...none, groupPerUser: true, hierarchy: true },
        )
        expect([hidden.allowed, still]).toEqual([false, hidden])
      }
  })
})

test('connections, settings, users, queues and the dashboard are for admins alone', () => {
  for (const area of ['connections', 'settings', 'users', 'queues', 'dashboard', 'deleteTicket', 'nps'] as const) {
    expect([admin, manager, attendant].map(viewer => canUseArea(viewer, area, none))).toEqual([true, false, false])
  }
})

test('the order of queues does not change an audience; another person does', () => {
  expect(toAudienceKey({ ...attendant, queueIds: [2, 1] })).toBe(toAudienceKey({ ...attendant, queueIds: [1, 2] }))
  expect(toAudienceKey({ ...attendant, id: 70 })).not.toBe(toAudienceKey(attendant))
  expect(toAudienceKey({ ...admin, id: 1 })).toBe(toAudienceKey(admin))
})
