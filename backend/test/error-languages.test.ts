// A refusal is said once, by the server, in the language of who asked: the page and the terminal show its words.
import { expect, test } from 'bun:test'
import { readLanguage } from '../src/platform/http/texts.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

const server = await startDeskServer()

await makePerson(server.db, { name: 'Bruna', profile: 'user' })
const bruna = await server.as('Bruna')

test.each([
  ['pt', 'Esta conversa não foi encontrada.'],
  ['en', 'This conversation was not found.'],
  ['es', 'No se encontró esta conversación.'],
])('a refusal is said in %s to who chose it', async (language, sentence) => {
  const answer = await bruna.call<{ message: string }>('GET', '/tickets/999999', undefined, {
    'accept-language': language,
  })
  expect([answer.status, answer.body.message]).toEqual([404, sentence])
})

test.each([
  ['pt', 'Não é um número de telefone', 'Escolha alguém para conversar'],
  ['en', 'Not a phone number', 'Choose somebody to talk to'],
  ['es', 'No es un número de teléfono', 'Elige a alguien para conversar'],
])(
  'what is wrong with a field is said in %s, whether a form or a call is about it',
  async (language, number, people) => {
    const refuse = async (path: string, body: object) =>
      (await bruna.call<{ details: unknown }>('POST', path, body, { 'accept-language': language })).body.details
    expect(await refuse('/contacts', { name: 'Ana', number: '+1 111 111 1111' })).toEqual([
      { path: 'number', code: 'numberUnreadable', message: number },
    ])
    expect(await refuse('/chats', { users: [] })).toEqual([{ path: 'users', message: people }])
  },
)

test('whoever is not signed in hears it in the language of the page, too', async () => {
  const refused = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(server.url + path, { ...init, headers: { 'accept-language': 'es', ...init.headers } })
    return (await answer.json()).message
  }
  const body = JSON.stringify({ email: 'bruna@saojose.example', password: 'errada' })
  expect([
    await refused('/auth/login', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    await refused('/there/is/no/such/call'),
  ]).toEqual(['El correo o la contraseña no coinciden.', 'No encontramos lo que pediste.'])
})

test.each([
  ['en-US,pt;q=0.5', 'en'],
  ['es', 'es'],
  ['fr-FR, es-AR;q=0.8', 'es'],
  ['pt-BR', 'pt'],
  ['eng, *', 'pt'],
  ['', 'pt'],
] as const)('the language of %p is %s', (header, language) => {
  expect(readLanguage(new Request('http://desk', { headers: { 'accept-language': header } }))).toBe(language)
})
