// Builds people and queues for tests; only what a test is about is named in them.
import type { Queue, User } from '@balcao/contract'
import type { TeamMember } from '../src/users/list.ts'

export function makeQueue(part: Partial<Queue>): Queue {
  const brief = { id: 1, name: 'Financeiro', color: '#d0702f', customOrder: 999, greetingMessage: '' }
  return {
    ...brief,
    firstAnswerMinutes: null,
    answerMinutes: null,
    queuesUser: [],
    userIds: [],
    users: 0,
    open: 0,
    version: 1,
    ...part,
  }
}

export function makeUser(part: Partial<User>): User {
  const days = { weekdays: true, saturday: false, sunday: false, holidays: false }
  const may = { addContact: true, editContact: true, delContact: false }
  return {
    ...{ id: 2, name: 'Helena Prado', email: '', profile: 'user', active: true, status: 'offline' },
    ...{ startTime: '08:00', endTime: '18:00', ...days, ...may, whatsappId: null, queues: [], queueIds: [] },
    ...{ profilePicUrl: null, mustChangePassword: false, substitution: [], awaitingApproval: false, version: 1 },
    ...part,
  }
}

/** The same with the e-mail opened. */
export function makePersonRow(part: Partial<TeamMember> = {}): TeamMember {
  const { address = 'helena@saojose.example', ...user } = part
  return { ...makeUser(user), address }
}
