import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ApiError } from '@balcao/ui/api'
import { addTexts, describeError } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { toApiError } from '../../client/src/index.ts'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import late from '../locales/account/pt.json'
import pt from '../locales/pt.json'
import { account, closeAccount, loadNotes } from '../src/account/account.ts'
import { parseNotes } from '../src/account/notes-text.ts'
import { findPasswordChangeError } from '../src/account/use-password-change.ts'
import { announceSession, leave } from '../src/session/enter.ts'

addTexts('shell', { pt, en: pt, es: pt })
addTexts('shell', { pt: late, en: late, es: late })

describe('a change of password', () => {
  const good = { currentPassword: 'Antiga#12', password: 'Nova#1234', confirmation: 'Nova#1234' }

  test('with all right is sent', () => {
    expect(findPasswordChangeError(good)).toBeNull()
  })

  test.each(['currentPassword', 'password', 'confirmation'] as const)('needs %s', field => {
    expect(findPasswordChangeError({ ...good, [field]: '' })).toEqual({ field, key: 'missing' })
    expect(late.password.missing).toBe('Por favor, preencha todos os campos!')
  })

  test('needs the same password twice', () => {
    expect(findPasswordChangeError({ ...good, confirmation: 'Outra#123' })).toEqual({
      field: 'confirmation',
      key: 'mismatch',
    })
    expect(late.password.mismatch).toBe('Senhas preenchidas não coincidem!')
  })

  test.each(['Ab#1', 'nova#1234', 'NOVA#1234', 'Nova#abcd', 'Nova12345', `Nova#1${'a'.repeat(50)}`])(
    'to %s is refused in the words of the policy',
    password => {
      const wrong = findPasswordChangeError({ ...good, password, confirmation: password })
      expect(wrong).toEqual({ field: 'password', fault: expect.stringMatching(/^password\./) })
    },
  )

  test('to the same password is none', () => {
    const same = { ...good, currentPassword: good.password }
    expect(findPasswordChangeError(same)).toEqual({ field: 'password', fault: 'call.samePassword' })
  })
})

describe('the text of notes', () => {
  test('is paragraphs and lists, and nothing else is understood', () => {
    expect(parseNotes('Olá,\ntudo bem?\n\n- um\n* dois\nfim\n\n<b>cru</b>')).toEqual([
      { kind: 'text', text: 'Olá, tudo bem?' },
      { kind: 'list', items: ['um', 'dois'] },
      { kind: 'text', text: 'fim' },
      { kind: 'text', text: '<b>cru</b>' },
    ])
    expect(parseNotes('')).toEqual([])
  })
})

describe('notes and the end of a session', () => {
  let server: Server<undefined>
  let notes: { title: string; body: string }[] = []
  const requests: string[] = []

  beforeEach(() => {
    requests.length = 0
    notices.list = []
    signOutTestUser()
    session.product = ''
    server = startPageServer({
      fetch(_, { pathname }) {
        requests.push(pathname)
        return pathname === '/notes' ? Response.json({ notes, count: notes.length }) : Response.json(SYSTEM)
      },
    })
  })
  afterEach(() => server.stop(true))

  test('notes show themselves once in a session, and again in the next', async () => {
    notes = [{ title: '7.2', body: 'Novo' }]
    await loadNotes()
    expect(account.open).toBe('notes')
    closeAccount()
    await loadNotes()
    expect(account.open).toBeNull()
    signOutTestUser()
    await loadNotes()
    expect(account.open).toBe('notes')
  })

  test('without notes nothing opens', async () => {
    notes = []
    await loadNotes()
    expect(account.open).toBeNull()
  })

  test.each([
    ['ERR_INVALID_WORKING_TIME', 'info', 'Você está fora do seu horário de trabalho. Acesso bloqueado.'],
    ['ERR_USER_NO_ACTIVE', 'info', 'Seu usuário foi desativado. Acesso temporariamente bloqueado.'],
    ['ERR_SESSION_EXPIRED', 'error', 'Entre de novo para continuar.'],
  ] as const)('%s signs out with one %s notice', async (code, kind, text) => {
    signInTestUser()
    leave(new ApiError(code, 401, text))
    announceSession(new ApiError(code, 401, text))
    expect(session.status).toBe('out')
    expect(notices.list.map(notice => [notice.kind, notice.text])).toEqual([[kind, text]])
    await waitUntil(knowsSystem, 'the sign-in page asks what is allowed now')
  })

  test('a blocked system signs out without a notice: the page says it', async () => {
    signInTestUser()
    leave(new ApiError('ERR_SYSTEM_BLOCKED', 403, ''))
    expect(session.status).toBe('out')
    expect(notices.list).toEqual([])
    await waitUntil(knowsSystem, 'the sign-in page asks what is allowed now')
  })

  /** Cut off, it would ask again in five seconds, whatever test runs then. */
  const knowsSystem = () => session.product === SYSTEM.product
})

describe('the text of an error', () => {
  test('is what the server said, and never the words of a programming error', () => {
    expect(describeError(new ApiError('ERR_NO_PERMISSION', 403, 'Só quem está no grupo escreve.'))).toBe(
      'Só quem está no grupo escreve.',
    )
    expect(describeError(toApiError(400, { error: 'ERR_FROM_TOMORROW' }, null))).toBe('ERR_FROM_TOMORROW')
    expect(describeError(toApiError(400, { message: 'do servidor' }, null))).toBe('do servidor')
    expect(describeError(new TypeError('x is undefined'))).toBe('Ocorreu um erro!')
  })

  test('is the page’s own where nobody answered, or something that is not the server', () => {
    expect(describeError(new ApiError('OFFLINE', 0, 'fetch failed'))).toBe(
      'O servidor não respondeu. Confira a internet e tente de novo.',
    )
    expect(describeError(toApiError(502, undefined, null))).toBe(
      'O servidor não respondeu como devia. Tente de novo em instantes.',
    )
  })
})

function signInTestUser() {
  session.status = 'in'
}

const SYSTEM = {
  product: 'Balcão',
  company: '',
  version: '7.1.1',
  blocked: false,
  userCreation: false,
  demo: false,
  invoices: false,
  supportUrl: null,
  financeUrl: null,
  demoAccounts: [],
}

/** Whoever was here is gone. */
function signOutTestUser() {
  session.status = 'out'
  endSession()
}
