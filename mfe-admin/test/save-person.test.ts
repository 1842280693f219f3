// Saving the form of a person whose picture does not go up.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import type { Server } from 'bun'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { startPageServer } from '../../ui/test/page.ts'
import pt from '../locales/users/pt.json'
import { toFields } from '../src/users/form.ts'
import { savePerson } from '../src/users/save-person.ts'
import { makeUser } from './people.ts'

addTexts('users', { pt, en: pt, es: pt })

let server: Server<undefined>
beforeEach(() => {
  notices.list = []
  server = startPageServer({
    fetch: (_, { pathname }) =>
      pathname === '/users'
        ? Response.json({ ...makeUser({ id: 7 }), oneTimePassword: 'ABCdefgh-2345' })
        : Response.json({ error: 'ERR_FILE_TOO_LARGE', message: 'grande demais' }, { status: 413 }),
  })
})
afterEach(() => server.stop(true))

test('a picture that does not go up takes nobody’s one-time password along, and is told', async () => {
  const picture = new File(['x'], 'foto.png', { type: 'image/png' })
  const fields = { ...toFields(null), name: 'Helena Prado', email: 'helena@saojose.example', picture }
  const saved = await savePerson(fields, null, false, undefined, 'a-form')
  expect(saved).toMatchObject({ person: { id: 7, profilePicUrl: null }, oneTimePassword: 'ABCdefgh-2345' })
  expect(notices.list.map(({ kind, text }) => [kind, text.slice(0, 35)])).toEqual([
    ['error', 'O usuário foi salvo, mas a foto não'],
  ])
})
