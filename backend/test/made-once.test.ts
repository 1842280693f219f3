// A form whose answer was lost is sent again, and makes nothing twice (decisions-2 §22).
import { describe, expect, test } from 'bun:test'
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)

await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Rafael', profile: 'admin' })
const marina = await server.as('Marina')
const rafael = await server.as('Rafael')

interface Made {
  readonly id: number
  readonly error?: string
}

let nth = 0
interface Room {
  readonly table: string
  readonly path: string
  /** What may stand there once and no more is told by. */
  readonly own: string
  readonly fields: (name: string) => Record<string, string>
  readonly many: boolean
  readonly form?: true
}

const ROOMS: readonly Room[] = [
  { table: 'tag', path: '/tag', own: 'name', fields: name => ({ name }), many: true },
  {
    ...{ table: 'question', path: '/pergunta', own: 'pergunta', many: true },
    fields: name => ({ pergunta: name, resposta: `A resposta de ${name}` }),
  },
  {
    ...{ table: 'quick_answer', path: '/quickAnswers', own: 'message', many: false, form: true },
    fields: name => ({ shortcut: `atalho${nth}`, message: name }),
  },
  {
    ...{ table: 'queue', path: '/queue', own: 'name', many: false },
    fields: name => ({ name, color: `#${String(nth).padStart(6, '0')}` }),
  },
  {
    ...{ table: 'contact', path: '/contacts', own: 'name', many: false },
    fields: name => ({ name, number: `55319987${String(nth).padStart(5, '0')}` }),
  },
]

function bodyOf({ form }: Room, fields: Record<string, string>) {
  if (!form) return fields
  const body = new FormData()
  for (const [key, value] of Object.entries(fields)) body.set(key, value)
  body.set('medias', new File([`um arquivo ${fields.message}`], 'tabela.txt', { type: 'text/plain' }))
  return body
}

for (const room of ROOMS)
  describe(`decisions-2 §22: POST ${room.path}`, () => {
    const save = (person: SignedInPerson, fields: Record<string, string>) =>
      person.call<Made>('POST', room.path, bodyOf(room, fields))
    const called = async (...names: string[]) => {
      const rows = await sql<{ id: number; called: string }[]>`
        select id, ${sql(room.own)} as called from ${sql(room.table)} where ${sql(room.own)} = any(${names}::text[]) order by id`
      return rows.map(row => row.called)
    }
    const fresh = (name: string) => {
      nth += 1
      return room.fields(`${name} ${nth}`)
    }
    const nameIn = (fields: Record<string, string>) => fields[room.own] ?? ''

    test('twice under one clientId, one after the other and at once, is there once', async () => {
      const [one, two] = [
        { ...fresh('Uma primeira'), clientId: `${room.table}-a` },
        { ...fresh('Duas vezes igual'), clientId: `${room.table}-b` },
      ]
      const answers = [await save(marina, one), await save(marina, one)]
      const atOnce = await Promise.all([save(marina, two), save(marina, two), save(marina, two)])
      for (const of of [answers, atOnce]) {
        expect(of.map(({ status }) => status)).toEqual(of.map(() => 201))
        expect(new Set(of.map(({ body }) => body.id)).size).toBe(1)
      }
      expect(await called(nameIn(one), nameIn(two))).toEqual([nameIn(one), nameIn(two)])
    })

    test('with another word in it after no answer came, it says the last word', async () => {
      const first = { ...fresh('Errada'), clientId: `${room.table}-c` }
      const last = { ...first, [room.own]: `${nameIn(first)} certa` }
      const [{ body: made }, { status, body }] = [await save(marina, first), await save(marina, last)]
      expect([status, body.id]).toEqual([201, made.id])
      expect(await called(nameIn(first), nameIn(last))).toEqual([nameIn(last)])
      expect((await save(marina, last)).body.id).toBe(made.id)
    })

    test('of somebody else, from another tab, or without a clientId it is another one', async () => {
      const fields = fresh('Mesma')
      const statuses = []
      for (const [person, clientId] of [
        [marina, `${room.table}-d`],
        [rafael, `${room.table}-d`],
        [marina, `${room.table}-e`],
      ] as const)
        statuses.push((await save(person, { ...fields, clientId })).status)
      statuses.push((await save(marina, fields)).status)
      expect(statuses).toEqual(room.many ? [201, 201, 201, 201] : [201, 409, 409, 409])
    })

    test('a refused one leaves the form as good as new', async () => {
      const fields = { ...fresh('Recusada antes'), clientId: `${room.table}-f` }
      expect((await save(marina, { ...fields, [room.own]: '' })).status).toBe(422)
      expect((await save(marina, fields)).status).toBe(201)
      expect(await called(nameIn(fields))).toHaveLength(1)
    })
  })

test('decisions-2 §22: a clientId of one kind is none of another: a tag and a question of one form are both there', async () => {
  const clientId = crypto.randomUUID()
  const [tag, question] = [
    await marina.call<Made>('POST', '/tag', { name: 'De um só formulário', clientId }),
    await marina.call<Made>('POST', '/pergunta', { pergunta: 'De um só?', resposta: 'Sim', clientId }),
  ]
  expect([tag.status, question.status]).toEqual([201, 201])
  expect(await sql`select 1 from tag where name = 'De um só formulário'`).toHaveLength(1)
  expect(await sql`select 1 from question where pergunta = 'De um só?'`).toHaveLength(1)
})
