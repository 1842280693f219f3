// Several files of one form go out together or not at all, and once however often the form comes.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Chat, ChatMessage, Message } from '@balcao/contract'
import { startMessagesDesk } from './messages-desk.ts'

const { db, sql, people, inService } = await startMessagesDesk()
const { bruna } = people

function fill(names: readonly string[], more: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const name of names) form.append('medias', new File([`de ${name}`], name, { type: 'text/plain' }))
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  return form
}

async function openChat(): Promise<number> {
  const [other] = await sql<{ id: number }[]>`select id from "user" where name = 'Rafael'`
  const [own] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna'`
  const { body } = await bruna.call<Chat>('POST', '/chats', { userId: own?.id, callingUserId: other?.id })
  return body.id
}

const places: readonly [string, () => Promise<string>, 'message' | 'chat_message'][] = [
  ['a ticket', async () => `/messages/${(await inService('Recebe arquivos')).ticketId}`, 'message'],
  ['an internal chat', async () => `/chats/messages/${await openChat()}`, 'chat_message'],
]

for (const [place, open, table] of places)
  describe(`several files in ${place}`, () => {
    beforeAll(async () => {
      await db.$client.unsafe(`
        create function refuse_file() returns trigger language plpgsql as $$ begin raise exception 'no room for it'; end $$;
        create trigger refuse_file before insert on ${table} for each row when (new.media->>'name' = 'cheio.txt') execute function refuse_file()`)
    })
    afterAll(async () => {
      await db.$client.unsafe(`drop trigger refuse_file on ${table}; drop function refuse_file()`)
    })

    test('are all sent or none is', async () => {
      const path = await open()
      const count = async () => {
        const [row] = await sql<{ messages: number; files: number }[]>`
          select (select count(*)::int from ${sql(table)}) as messages, (select count(*)::int from media where owner <> 'upload') as files`
        return row
      }
      const before = await count()
      expect((await bruna.call('POST', path, fill(['um.txt', 'cheio.txt', 'tres.txt']))).status).toBe(500)
      expect(await count()).toEqual(before)
    })

    test('are sent once under one clientId, and given back where the form comes again', async () => {
      const path = await open()
      const send = (clientId: string) =>
        bruna.call<(Message | ChatMessage)[]>('POST', path, fill(['um.txt', 'dois.txt'], { body: 'Seguem', clientId }))
      const first = await send('formulario-7')
      const again = await send('formulario-7')
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.body.map(({ id }) => id)).toEqual(first.body.map(({ id }) => id))
      expect(first.body.map(({ clientId }) => clientId)).toEqual(['formulario-7', 'formulario-7/1'])
      expect((await send('formulario-8')).body.map(({ id }) => id)).not.toEqual(first.body.map(({ id }) => id))
      expect((await send('x'.repeat(65))).status).toBe(422)
    })
  })
