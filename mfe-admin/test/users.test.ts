import { describe, expect, test } from 'bun:test'
import { applyFieldRules, USER_DEFAULTS, validatePassword } from '@balcao/contract'
import { computeCropSquare, MOST_ZOOM, moveCrop, WHOLE } from '../src/users/crop.ts'
import {
  drawPassword,
  makeUserRules,
  toBody,
  toFields,
  type UserFields,
  validateSubstitutes,
} from '../src/users/form.ts'
import { decideTicketFates } from '../src/users/leaving.ts'
import { isPersonMatch } from '../src/users/list.ts'
import { makePersonRow, makeUser } from './people.ts'

const makeFields = (part: Partial<UserFields> = {}): UserFields => ({
  ...toFields(null),
  name: 'Helena',
  email: 'helena@saojose.example',
  ...part,
})
const findFaults = (part: Partial<UserFields>, person = null as ReturnType<typeof makePersonRow> | null) =>
  applyFieldRules(makeUserRules(person), makeFields(part)).faults

describe('the form of a person (spec 2 §5)', () => {
  test('name 2 to 50 characters, a valid e-mail, times of the day', () => {
    expect(findFaults({ name: '' }).name).toBe('schema.fieldRequired')
    expect(findFaults({ name: 'H' }).name).toBe('field.tooShort')
    expect(findFaults({ name: 'H'.repeat(51) }).name).toBe('field.tooLong')
    expect(findFaults({ email: 'helena' }).email).toBe('contact.email')
    expect(findFaults({ startTime: '24:00' }).startTime).toBe('field.notTime')
    expect(findFaults({})).toEqual({})
  })

  test('a new person begins as somebody whom a sheet or another program adds: 08:00 to 18:00, every day', async () => {
    expect([toFields(null).startTime, toFields(null).endTime]).toEqual(['08:00', '18:00'])
    expect(await toBody(makeFields(), { isOwn: false })).toMatchObject(USER_DEFAULTS)
  })

  test('a password keeps to the policy; none leaves it as it is', async () => {
    expect(findFaults({ password: 'Farinha25' }).password).toBe('password.special')
    expect(findFaults({ password: '' }).password).toBeUndefined()
    expect(await toBody(makeFields(), { isOwn: false })).not.toHaveProperty('password')
    expect(await toBody(makeFields({ password: 'Farinha-25' }), { isOwn: false })).toMatchObject({
      password: 'Farinha-25',
      mustChangePassword: true,
    })
  })

  test('a drawn password keeps to the policy', () => {
    for (let many = 0; many < 200; many++) expect(validatePassword(drawPassword())).toBeNull()
  })

  test('an e-mail that cannot be opened here may stay empty, and then stays as it is', async () => {
    expect(findFaults({ email: '' }, makePersonRow({ address: '' })).email).toBeUndefined()
    expect(findFaults({ email: '' }, makePersonRow()).email).toBe('contact.email')
    expect(await toBody(makeFields({ email: '' }), { isOwn: false })).not.toHaveProperty('email')
  })

  test('one’s own e-mail, password and activity are no matter of this form', async () => {
    const body = await toBody(makeFields({ password: 'Farinha-25' }), { isOwn: true })
    for (const name of ['email', 'password', 'active']) expect(body).not.toHaveProperty(name)
  })

  test('days and rights are sent one by one', async () => {
    const body = await toBody(makeFields({ days: ['saturday'], rights: ['delContact'] }), { isOwn: false })
    expect(body).toMatchObject({ weekdays: false, saturday: true, addContact: false, delContact: true })
  })
})

describe('substitutes (spec 2 §5)', () => {
  const people = [
    makeUser({ id: 5, name: 'Bruna Lopes', queueIds: [1] }),
    makeUser({ id: 6, name: 'Caio', queueIds: [2] }),
  ]
  const codes = (rows: [number | null, number | null][], part: Partial<UserFields> = {}) => {
    const substitutes = rows.map(([queueId, userId], id) => ({ id, queueId, userId, transfer: true }))
    const fields = makeFields({ active: false, ...part, substitutes })
    return validateSubstitutes(fields, makePersonRow({ id: 9 }), people).map(fault => fault?.code ?? null)
  }

  test('no two for the same queue, none without queue and user, only people of that queue', () => {
    expect(codes([[1, 5]])).toEqual([null])
    expect(
      codes([
        [1, 5],
        [1, 5],
      ]),
    ).toEqual([null, 'twice'])
    expect(
      codes([
        [1, null],
        [null, 5],
      ]),
    ).toEqual(['incomplete', 'incomplete'])
    expect(
      codes([
        [2, 5],
        [1, 9],
      ]),
    ).toEqual(['notInQueue', 'self'])
  })

  test('none is added while the person is active', () => {
    expect(codes([[1, 5]], { active: true })).toEqual(['active'])
  })
})

describe('what becomes of live tickets is told as the server does it (decisions §3)', () => {
  const live = [
    { queueId: 1, tickets: 4 },
    { queueId: 2, tickets: 2 },
    { queueId: null, tickets: 1 },
  ]
  const people = [makeUser({ id: 5, name: 'Bruna', queueIds: [1, 2] }), makeUser({ id: 6, name: 'Rui', active: false })]
  const rows = [
    { id: 1, queueId: 1, userId: 5, transfer: true },
    { id: 2, queueId: 2, userId: 5, transfer: false },
  ]
  const goesTo = (how: Parameters<typeof decideTicketFates>[1]['how'], choices = rows) =>
    decideTicketFates(live, { how, rows: choices, people }).map(({ tickets, to }) => [tickets, to])

  test('deactivated: those marked go along, the others wait', () => {
    expect(goesTo('off')).toEqual([
      [4, 'Bruna'],
      [2, null],
      [1, null],
    ])
  })

  test('deleted: all go to the substitute of their queue', () => {
    expect(goesTo('deleted')).toEqual([
      [4, 'Bruna'],
      [2, 'Bruna'],
      [1, null],
    ])
  })

  test('an inactive substitute takes nothing', () => {
    expect(goesTo('off', [{ id: 1, queueId: 1, userId: 6, transfer: true }])[0]).toEqual([4, null])
  })

  test('a lost queue: its tickets wait, the others stay', () => {
    expect(goesTo({ queues: [2] })).toEqual([[2, null]])
  })
})

test('people are found by name, or by the whole e-mail', () => {
  const row = makePersonRow({ name: 'Água Preta' })
  expect(isPersonMatch(row, { search: 'agua' })).toBe(true)
  expect(isPersonMatch(row, { search: 'HELENA@saojose.example' })).toBe(true)
  expect(isPersonMatch(row, { search: 'a@saojose.example' })).toBe(false)
})

describe('a square of a picture', () => {
  const wide = { width: 800, height: 400 }

  test('is as much of the middle as there is, and less of it enlarged', () => {
    expect(computeCropSquare(wide, WHOLE)).toEqual({ side: 400, left: 200, top: 0 })
    expect(computeCropSquare(wide, { ...WHOLE, zoom: MOST_ZOOM })).toEqual({ side: 100, left: 350, top: 150 })
  })

  test('follows the hand to the edge and no further', () => {
    expect(computeCropSquare(wide, moveCrop(wide, WHOLE, 100, 50))).toEqual({ side: 400, left: 100, top: 0 })
    expect(computeCropSquare(wide, moveCrop(wide, WHOLE, -9000, 0))).toEqual({ side: 400, left: 400, top: 0 })
  })
})
