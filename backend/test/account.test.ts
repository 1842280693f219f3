// A person's own account: password, one-time password, picture, sign-up (spec 1 §2, §4; spec 2 §4, §5; decisions §2).
import { describe, expect, test } from 'bun:test'
import { type Endpoint, endpoints, openWire, type User } from '@balcao/contract'
import { type ApiAnswer, createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson, PASSWORD, toEmail } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db, url, config } = server
const NEW = 'Outra#Senha9'
const ids: Record<string, number> = {}

const PNG = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)

ids.Marina = await makePerson(db, { name: 'Marina', profile: 'admin' })
for (const name of ['Bruna', 'Carlos', 'Davi', 'Elisa', 'Fabio', 'Gil'])
  ids[name] = await makePerson(db, { name, profile: 'user' })
const marina = await server.as('Marina')

describe('changing the own password', () => {
  test('needs the current one; the refusal stands at its field and ends no session', async () => {
    const bruna = await server.as('Bruna')
    const { status, body } = await change(bruna, 'Bruna', { currentPassword: 'errada', password: NEW })
    expect([status, body.error]).toEqual([422, 'ERR_VALIDATION'])
    expect(body.details).toEqual([
      { path: 'currentPassword', message: 'A senha atual não confere.', code: 'wrongPassword' },
    ])
    expect((await bruna.call('GET', '/queue')).status).toBe(200)
  })

  test.each([
    ['Curta#1', 'A senha deve ter no mínimo 8 caracteres.'],
    ['senha#123', 'A senha deve ter pelo menos uma letra maiúscula.'],
    ['SENHA#123', 'A senha deve ter pelo menos uma letra minúscula.'],
    ['Senha#abc', 'A senha deve ter pelo menos um número.'],
    ['Senha1234', 'A senha deve ter pelo menos um caractere especial.'],
    [PASSWORD, 'A nova senha precisa ser diferente da atual.'],
  ])('refuses %s by the policy: %s', async (password, message) => {
    const bruna = await server.as('Bruna')
    const { body } = await change(bruna, 'Bruna', { currentPassword: PASSWORD, password })
    expect(body.details).toMatchObject([{ path: 'password', message }])
  })

  test('signs out all other devices, socket and all, and keeps this one', async () => {
    const [here, there] = [await server.as('Bruna'), await server.as('Bruna')]
    const socket = await socketOf(there)
    expect((await change(here, 'Bruna', { currentPassword: PASSWORD, password: NEW })).status).toBe(200)
    expect((await here.call('GET', '/queue')).status).toBe(200)
    expect((await here.call('POST', '/auth/refresh_token')).status).toBe(200)
    expect((await there.call('GET', '/queue')).body.error).toBe('ERR_SESSION_EXPIRED')
    expect((await there.call('POST', '/auth/refresh_token')).status).toBe(401)
    expect(await socket.closed).toBe(4401)
    expect((await signIn('Bruna', PASSWORD)).status).toBe(401)
    expect((await signIn('Bruna', NEW)).status).toBe(200)
  })

  test('is for oneself only, even for administrators', async () => {
    const carlos = await server.as('Carlos')
    for (const person of [carlos, marina]) {
      const { status, body } = await change(person, 'Davi', { currentPassword: PASSWORD, password: NEW })
      expect([status, body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    }
  })

  test('is no place to guess passwords', async () => {
    const davi = await server.as('Davi')
    const wrong = { currentPassword: 'errada', password: NEW }
    for (let n = 0; n < 5; n++) await change(davi, 'Davi', wrong)
    const { status, body } = await change(davi, 'Davi', { ...wrong, currentPassword: PASSWORD })
    expect([status, body.error]).toEqual([429, 'ERR_TOO_MANY_ATTEMPTS'])
  })
})

describe('a one-time password', () => {
  test('is shown to the administrator once, ends all sessions, and opens nothing but its change', async () => {
    const before = await server.as('Elisa')
    const { body } = await marina.call<{ password: string }>('POST', `/users/reset/${ids.Elisa}`)
    expect((await before.call('GET', '/queue')).status).toBe(401)
    expect((await signIn('Elisa', PASSWORD)).status).toBe(401)

    const elisa = createBrowser(url)
    const entered = await elisa.call<{ token: string; user: User }>('POST', '/auth/login', {
      email: toEmail('Elisa'),
      password: body.password,
    })
    expect(entered.body.user.mustChangePassword).toBe(true)
    elisa.token = entered.body.token
    for (const [method, path] of [
      ['GET', '/queue'],
      ['GET', '/tickets'],
      ['POST', '/auth/socket'],
      ['PUT', '/uploads?name=a.txt'],
      ['GET', '/media/aaaaaaaaaaaa'],
    ] as const) {
      const refused = await elisa.call(method, path)
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'ERR_PASSWORD_CHANGE_REQUIRED'])
    }
    expect((await elisa.call('PUT', `/users/${ids.Elisa}`, { active: true })).body.error).toBe('ERR_NO_PERMISSION')

    const changed = await elisa.call<User>('PUT', `/users/${ids.Elisa}`, {
      currentPassword: body.password,
      password: NEW,
    })
    expect(changed.body.mustChangePassword).toBe(false)
    expect((await elisa.call('GET', '/queue')).status).toBe(200)
  })

  test('is another one each time, keeps to the policy, and stands in no log', async () => {
    const reset = () => marina.call<{ password: string }>('POST', `/users/reset/${ids.Fabio}`)
    const [one, two] = [(await reset()).body.password, (await reset()).body.password]
    expect(one).not.toBe(two)
    expect(one).toMatch(/^[A-Z]{3}[a-z]{5}-\d{4}$/)
    const [row] = await db.$client`select string_agg(row_to_json(l)::text, '') as all from log_entry l`
    expect(row?.all).toContain('user.resetPassword')
    expect(row?.all).not.toContain(two)
  })

  test('is given by nobody who stops being an administrator meanwhile: the old one still opens the desk', async () => {
    const chief = await makePerson(db, { name: 'Ex-chefe', profile: 'admin' })
    const asking = await server.as('Ex-chefe')
    const [before] = await db.$client`select password_hash from "user" where id = ${ids.Fabio ?? 0}`
    const { promise: waited, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: locked, resolve: hold } = Promise.withResolvers<void>()
    const taking = db.transaction(async tx => {
      await tx.execute(`update "user" set profile = 'user' where id = ${chief}`)
      hold()
      await waited
    })
    await locked
    const reset = asking.call('POST', `/users/reset/${ids.Fabio}`)
    await waitUntil('the reset waits for the lock', async () => (await countLockWaits(db.$client)) > 0)
    letGo()
    await taking
    expect((await reset).body.error).toBe('ERR_NO_PERMISSION')
    expect((await db.$client`select password_hash from "user" where id = ${ids.Fabio ?? 0}`)[0]).toEqual(before)
  })

  test('is not for the owner, who is nobody to others', async () => {
    expect((await marina.call('POST', '/users/reset/1')).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await marina.call('POST', '/users/reset/99999')).status).toBe(404)
  })
})

describe('nothing of a session that ended is answered:', () => {
  const reads = Object.entries<Endpoint>(endpoints).flatMap(([key, { audience, beforePasswordChange }]) =>
    key.startsWith('GET ') && audience !== 'public' && audience !== 'token' && !beforePasswordChange
      ? key.slice(4).replace(/:\w+/g, '1')
      : [],
  )

  test.each(['an administrator gives a one-time password', 'the person changes the password elsewhere'])(
    'after %s no call, file, socket, cookie or terminal of before is let in',
    async how => {
      const id = ids.Davi ?? 0
      await db.$client`update "user" set password_hash = (select password_hash from "user" where id = ${ids.Marina ?? 0}), must_change_password = false where id = ${id}`
      await db.$client`delete from sign_in_failure`
      const [here, tab, elsewhere] = [await server.as('Davi'), createBrowser(url), await server.as('Davi')]
      tab.cookies = new Map(here.cookies)
      tab.token = here.token
      const socket = (await here.call<{ token: string }>('POST', '/auth/socket')).body
      const terminal = (await here.call<{ token: string }>('POST', '/auth/terminal', { name: 'caixa' })).body
      const sent: Promise<unknown>[] = []
      // Reads on their way and two tabs that renew beside it: what they are given is of before, and no good after it.
      for (let n = 0; n < 10; n++) sent.push(here.call('GET', '/queue'), tab.call('GET', '/users/1'))
      const renewed = [here, tab].map(one => one.call<{ token?: string }>('POST', '/auth/refresh_token'))
      const ended =
        how === 'an administrator gives a one-time password'
          ? await marina.call('POST', `/users/reset/${id}`)
          : await elsewhere.call('PUT', `/users/${id}`, { currentPassword: PASSWORD, password: NEW })
      expect(ended.status).toBe(200)
      await Promise.all(sent)
      const tokens = (await Promise.all(renewed)).map(({ body }) => body.token ?? '')
      for (const token of [here.token, ...tokens.filter(text => text !== '')]) {
        here.token = token
        const answers = await Promise.all(reads.map(path => here.call('GET', path)))
        expect(answers.flatMap(({ status }, at) => (status === 401 ? [] : [`${reads[at]}: ${status}`]))).toEqual([])
      }
      for (const one of [here, tab]) expect((await one.call('POST', '/auth/refresh_token')).status).toBe(401)
      here.token = ''
      expect((await here.call('GET', '/media/aaaaaaaaaaaa')).status).toBe(401)
      expect(await findCloseCode(socket.token)).toBe(4401)
      const program = createBrowser(url)
      program.cookies = new Map([['balcao_refresh', terminal.token]])
      expect((await program.call('POST', '/auth/refresh_token')).status).toBe(401)
      expect((await signIn('Davi', PASSWORD)).status).toBe(401)
    },
  )

  test('a one-time password opens nothing but its change in any call, and two devices that used it end with it but the one', async () => {
    const { body } = await marina.call<{ password: string }>('POST', `/users/reset/${ids.Fabio}`)
    const enter = async () => {
      const person = createBrowser(url)
      const login = { email: toEmail('Fabio'), password: body.password }
      person.token = (await person.call<{ token: string }>('POST', '/auth/login', login)).body.token
      return person
    }
    const [one, other] = [await enter(), await enter()]
    const open = await Promise.all(reads.map(async path => [path, (await one.call('GET', path)).body.error] as const))
    expect(open.flatMap(([path, error]) => (error === 'ERR_PASSWORD_CHANGE_REQUIRED' ? [] : path))).toEqual([])
    const both = await Promise.all(
      [one, other].map(person => change(person, 'Fabio', { currentPassword: body.password, password: NEW })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    const left = await Promise.all([one, other].map(person => person.call('GET', '/queue')))
    expect(left.map(({ status }) => status)).toEqual(both.map(({ status }) => status))
    expect((await signIn('Fabio', body.password)).status).toBe(401)
  })

  test('an e-mail that was changed lets nobody in any more', async () => {
    const id = await makePerson(db, { name: 'Hugo', profile: 'user' })
    const hugo = await server.as('Hugo')
    const email = 'hugo.novo@saojose.example'
    expect((await hugo.call('PUT', `/users/${id}`, { email, currentPassword: PASSWORD })).status).toBe(200)
    expect((await signIn('Hugo', PASSWORD)).status).toBe(401)
    expect((await createBrowser(url).call('POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
  })
})

describe('a profile picture', () => {
  test('is everybody’s own; colleagues see it', async () => {
    const carlos = await server.as('Carlos')
    const { status, body } = await carlos.call<{ profilePicUrl: string }>(
      'POST',
      `/users/picture/${ids.Carlos}`,
      picture(PNG, 'eu.png', 'image/png'),
    )
    expect(status).toBe(200)
    const shown = await marina.call('GET', body.profilePicUrl)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    const again = await carlos.call<{ profilePicUrl: string }>(
      'POST',
      `/users/picture/${ids.Carlos}`,
      picture(PNG, 'eu.png', 'image/png'),
    )
    expect(again.body.profilePicUrl).not.toBe(body.profilePicUrl)
    expect((await marina.call('GET', body.profilePicUrl)).status).toBe(404)
  })

  test('is refused when it is none, is missing, or is another person’s', async () => {
    const carlos = await server.as('Carlos')
    const path = `/users/picture/${ids.Carlos}`
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect((await carlos.call('POST', path, picture(svg, 'eu.png', 'image/png'))).body.error).toBe('ERR_FILE_TYPE')
    const text = new TextEncoder().encode('olá')
    expect((await carlos.call('POST', path, picture(text, 'eu.txt', 'text/plain'))).body.error).toBe('ERR_FILE_TYPE')
    expect((await carlos.call('POST', path, new FormData())).body.error).toBe('ERR_VALIDATION')
    const others = await carlos.call('POST', `/users/picture/${ids.Gil}`, picture(PNG, 'a.png', 'image/png'))
    expect(others.body.error).toBe('ERR_NO_PERMISSION')
  })
})

describe('userCreation: signing up', () => {
  const person = { name: 'Nova Pessoa', email: 'Nova@saojose.example', password: NEW }
  const signUp = (body: object) => createBrowser(url).call('POST', '/auth/signup', { ...person, ...body })

  test('is refused unless the setting allows it', async () => {
    const { status, body } = await signUp({})
    expect([status, body.error]).toEqual([403, 'ERR_USER_CREATION_DISABLED'])
  })

  test('makes an inactive attendant without rights, whom an administrator lets in', async () => {
    await marina.call('PUT', '/settings/userCreation', { value: 'enabled' })
    const { status, body } = await signUp({ profile: 'admin', active: true })
    expect([status, body.active]).toEqual([201, false])
    const enter = () => createBrowser(url).call('POST', '/auth/login', { email: 'nova@saojose.example', password: NEW })
    expect((await enter()).body.error).toBe('ERR_USER_NO_ACTIVE')
    const carlos = await server.as('Carlos')
    expect((await carlos.call('PUT', `/users/${body.id}`, { active: true })).body.error).toBe('ERR_NO_PERMISSION')
    const active = await marina.call<User>('PUT', `/users/${body.id}`, { active: true })
    expect([active.body.active, active.body.profile, active.body.queueIds]).toEqual([true, 'user', []])
    expect(await openWire(config.sharedSecret, active.body.email)).toBe('Nova@saojose.example')
    expect((await enter()).status).toBe(200)
  })

  test('names each wrong field, and a known e-mail whatever its case', async () => {
    const { body } = await signUp({ name: 'N', email: 'nada', password: 'curta' })
    const details: unknown = body.details
    expect(details).toEqual([
      { path: 'name', code: 'Too Short!', message: 'Escreva um pouco mais: está curto demais.' },
      { path: 'email', code: 'email', message: 'E-mail inválido' },
      { path: 'password', code: 'length', message: 'A senha deve ter no mínimo 8 caracteres.' },
    ])
    expect((await signUp({ email: 'NOVA@saojose.example' })).body.error).toBe('ERR_DUPLICATED_EMAIL')
  })
})

describe('spec 1 §4: a user found inactive', () => {
  test('is told so by a page that slept, whatever it does first, and however often', async () => {
    await makePerson(db, { name: 'Dormente', profile: 'user' })
    const awake = await server.as('Dormente')
    const [row] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Dormente'`
    await marina.call('PUT', `/users/${row?.id}`, { active: false })
    const answers = [awake.call('GET', '/queue'), awake.call('POST', '/auth/refresh_token')]
    for (const answer of answers) expect(await refusal(answer)).toEqual([401, 'ERR_USER_NO_ACTIVE'])
    expect(await refusal(awake.call('POST', '/auth/refresh_token'))).toEqual([401, 'ERR_USER_NO_ACTIVE'])
  })

  test('is not told of by a token that was never given out, nor let in again with an old one', async () => {
    const stranger = createBrowser(url)
    stranger.token = 'inventado'
    stranger.cookies.set('balcao_refresh', 'inventado')
    expect(await refusal(stranger.call('GET', '/queue'))).toEqual([401, 'ERR_SESSION_EXPIRED'])
    expect(await refusal(stranger.call('POST', '/auth/refresh_token'))).toEqual([401, 'ERR_SESSION_EXPIRED'])
    await makePerson(db, { name: 'Voltou', profile: 'user' })
    const before = await server.as('Voltou')
    const [row] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Voltou'`
    for (const active of [false, true]) await marina.call('PUT', `/users/${row?.id}`, { active })
    expect(await refusal(before.call('GET', '/queue'))).toEqual([401, 'ERR_SESSION_EXPIRED'])
    expect(await refusal(before.call('POST', '/auth/refresh_token'))).toEqual([401, 'ERR_SESSION_EXPIRED'])
  })
})

describe('letting out', () => {
  test('ends the person’s sessions at once; nobody does it to the owner or to oneself', async () => {
    const gil = await server.as('Gil')
    expect((await marina.call('PUT', `/users/${ids.Gil}`, { active: false })).status).toBe(200)
    expect(await refusal(gil.call('GET', '/queue'))).toEqual([401, 'ERR_USER_NO_ACTIVE'])
    expect((await signIn('Gil', PASSWORD)).body.error).toBe('ERR_USER_NO_ACTIVE')
    expect((await marina.call('PUT', '/users/1', { active: false })).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await marina.call('PUT', `/users/${ids.Marina}`, { active: false })).body.error).toBe('ERR_NO_PERMISSION')
  })
})

function change(person: SignedInPerson, name: string, passwords: { currentPassword: string; password: string }) {
  return person.call('PUT', `/users/${ids[name]}`, passwords)
}

async function refusal(answer: Promise<ApiAnswer>): Promise<[number, unknown]> {
  const { status, body } = await answer
  return [status, body.error]
}

function signIn(name: string, password: string) {
  return createBrowser(url).call('POST', '/auth/login', { email: toEmail(name), password })
}

function picture(bytes: Uint8Array<ArrayBuffer>, name: string, type: string): FormData {
  const form = new FormData()
  form.append('medias', new File([bytes], name, { type }))
  return form
}

/** The code a socket of this token is closed with. */
function findCloseCode(token: string): Promise<number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${token}`)
  return new Promise(resolve => {
    socket.onclose = ({ code }) => resolve(code)
  })
}

/** An open socket of a person, and the code it is closed with. */
async function socketOf(person: SignedInPerson): Promise<{ closed: Promise<number> }> {
  const { token } = (await person.call<{ token: string }>('POST', '/auth/socket')).body
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${token}`)
  const welcomed = Promise.withResolvers<void>()
  const closed = new Promise<number>(resolve => {
    socket.onclose = ({ code }) => resolve(code)
  })
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: null }))
  socket.onmessage = ({ data }) => JSON.parse(String(data)).type === 'welcome' && welcomed.resolve()
  await welcomed.promise
  return { closed }
}
