// A refusal is said once, by the server, in the language of who asked: the page and the terminal show its words.
import { expect, test } from 'bun:test'
import { endpoints, type Language } from '@balcao/contract'
import en from '@balcao/contract/texts/faults/en.json'
import es from '@balcao/contract/texts/faults/es.json'
import pt from '@balcao/contract/texts/faults/pt.json'
import { ERROR_TEXTS, readLanguage } from '../src/platform/http/texts.ts'
import { findEndpoint, listFields, makeBody, makeForm } from './contract-calls.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'

const server = await startDeskServer()

await makePerson(server.db, { name: 'Bruna', profile: 'user' })
const bruna = await server.as('Bruna')
await makePerson(server.db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')

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

test('whatever a field of a command gets wrong is said in the language of who asks, and in no other', async () => {
  const foreign: string[] = []
  const codes = new Set<string>()
  for (const key of COMMANDS)
    for (const body of makeWrongBodies(key)) {
      const refused = await refuse(key, body, 'pt')
      if (refused.codes.every(code => codes.has(code)) && refused.sentences.every(text => isSaid(text, 'pt'))) continue
      for (const code of refused.codes) codes.add(code)
      const others = [await refuse(key, body, 'en'), await refuse(key, body, 'es')]
      for (const { language, sentences } of [refused, ...others])
        foreign.push(...sentences.filter(text => !isSaid(text, language)).map(text => `${key} ${language}: ${text}`))
    }
  expect(foreign).toEqual([])
  // It reaches every rule of a form.
  const { tooShort: _, tooLong: __, ...named } = pt.field
  const specified = ['Required', 'Too Short!', 'Too Long!']
  expect([...codes]).toEqual(expect.arrayContaining([...Object.keys(named), ...Object.keys(pt.password), ...specified]))
})

/** Calls that change something, without those that start connections or end what the walk stands on. */
const COMMANDS = Object.keys(endpoints).filter(key => /^(POST|PUT|PATCH) /.test(key) && !/session|restart/.test(key))
const PASSWORDS = ['senha#123', 'SENHA#123', 'Senha#abc', 'Senha1234', `Senha#1${'a'.repeat(50)}`]
const WRONG_VALUES: readonly unknown[] = ['', 'x', 'x'.repeat(10_000), '24:00', -1]
const FAULTS = { pt, en, es }

function makeWrongBodies(key: string): unknown[] {
  const { body, form, bodyKind } = findEndpoint(key)
  const usual = makeBody(body)
  const listValues = (name: string) => (name === 'password' ? [...WRONG_VALUES, ...PASSWORDS] : WRONG_VALUES)
  return bodyKind === 'multipart'
    ? listFields(form).flatMap(name => listValues(name).map(value => makeForm(form, name, String(value))))
    : listFields(body).flatMap(name => listValues(name).map(value => ({ ...usual, [name]: value })))
}

async function refuse(key: string, body: unknown, language: Language) {
  const [method = '', path = ''] = key.split(' ')
  const url = server.url + path.replace(/:\w+/g, '1')
  const headers = new Headers({ authorization: `Bearer ${marina.token}`, 'accept-language': language })
  if (!(body instanceof FormData)) headers.set('content-type', 'application/json')
  const answer = await fetch(url, { method, headers, body: body instanceof FormData ? body : JSON.stringify(body) })
  const { message, details }: { message?: string; details?: unknown } =
    answer.status < 400 ? {} : Object(await answer.json())
  const fields: { code?: string; message?: string }[] = Array.isArray(details) ? details : []
  const sentences = [message, ...fields.map(field => field.message)].flatMap(text => text ?? [])
  return { language, sentences, codes: fields.flatMap(({ code }) => code ?? []) }
}

/** Whether a sentence is one of the language's own, whatever stands in its braces. */
function isSaid(sentence: string, language: Language): boolean {
  const templates = [ERROR_TEXTS[language], ...Object.values(FAULTS[language])].flatMap(texts => Object.values(texts))
  return templates.some(template => {
    const parts = template.split(/\{\{\w+\}\}/)
    return sentence === template || (parts.length > 1 && isFilled(sentence, parts))
  })
}

function isFilled(sentence: string, parts: readonly string[]): boolean {
  return sentence.startsWith(parts[0] ?? '') && sentence.endsWith(parts.at(-1) ?? '')
}
