import { describe, expect, test } from 'bun:test'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { isComment } from '@balcao/contract/messages/comments'
import { endSession, session } from '@balcao/ui/session'
import { canEdit, canRevoke } from '../src/actions/message-rules.ts'
import { findRefusedFile, findTotalLimit, getFileKind, toAttachment } from '../src/composer/attachments.ts'
import { keepDraft, keepMembers, readDraft, readMembers } from '../src/composer/drafts.ts'
import {
  chooseGreeting,
  composeBody,
  fillWords,
  isSendable,
  parseQuickSearch,
  splitSignature,
} from '../src/composer/wording.ts'
import { makeMessage, makeTicket, makeUser } from './make.ts'

const greetings = { morning: 'Bom dia', afternoon: 'Boa tarde', night: 'Boa noite' }

describe('the text that goes out', () => {
  test('is signed in bold above it, comments never', () => {
    expect(composeBody(' Oi! ', 'Marina')).toBe('*Marina:*\nOi!')
    expect(composeBody('Oi!', null)).toBe('Oi!')
    expect(composeBody('-- só a equipe', 'Marina')).toBe('-- só a equipe')
    expect(splitSignature(composeBody('Oi!\nTudo bem?', 'Marina'))).toEqual({
      author: 'Marina',
      body: 'Oi!\nTudo bem?',
    })
  })

  test('is not sent when empty, and neither is a comment without words', () => {
    for (const text of ['', '  \n ', '--', ' --  ']) expect(isSendable(text)).toBe(false)
    expect(isSendable('a')).toBe(true)
    expect(isComment('  -- a')).toBe(true)
  })

  test('has its words filled in, with a greeting by the hour', () => {
    const words = {
      name: 'Lúcia',
      number: '5531',
      queue: 'Financeiro',
      user: 'Marina',
      date: '21/11/2026',
      time: '09:26',
      hour: 9,
      greetings,
    }
    expect(fillWords('{{ms}}, {{ name }}! {{queue}} {{outra}}', words)).toBe('Bom dia, Lúcia! Financeiro {{outra}}')
    expect(fillWords('{{constructor}} {{toString}} {{name}}', words)).toBe('{{constructor}} {{toString}} Lúcia')
    const chosen = [5, 6, 12, 13, 18, 19].map(hour => chooseGreeting(hour, greetings))
    expect(chosen).toEqual(['Boa noite', 'Bom dia', 'Bom dia', 'Boa tarde', 'Boa tarde', 'Boa noite'])
  })

  test("'/' at the start looks for a quick answer, anywhere else it is a letter", () => {
    expect(parseQuickSearch('/bo')).toBe('bo')
    expect(parseQuickSearch('/')).toBe('')
    expect(parseQuickSearch('e/ou')).toBeNull()
    expect(parseQuickSearch('/bo leto')).toBeNull()
  })
})

describe('files', () => {
  test('all together stay within 20 MB, 100 MB for meow', () => {
    const files = [{ size: 15 * 1024 * 1024 }, { size: 6 * 1024 * 1024 }]
    expect(findTotalLimit(files, KIND_TABLE.baileys.most.files)).toBe(20)
    expect(findTotalLimit(files, KIND_TABLE.meow.most.files)).toBeNull()
  })

  test('a file that the official API takes in no form is named before anything is sent', () => {
    const files = [
      new File(['x'], 'foto.webp', { type: 'image/webp' }),
      new File(['x'], 'tudo.zip', { type: 'application/zip' }),
    ].map(toAttachment)
    expect([findRefusedFile(files, 'cloud_api'), findRefusedFile(files, 'baileys')]).toEqual(['tudo.zip', null])
    expect(findRefusedFile([toAttachment(new File(['x'], 'sem tipo'))], 'cloud_api')).toBeNull()
  })

  test('lose the accents of their names and are images only by what browsers show as such', () => {
    expect(toAttachment(new File(['x'], '../relatório.pdf', { type: 'application/pdf' })).file.name).toBe(
      'relatorio.pdf',
    )
    expect(getFileKind({ type: 'image/svg+xml' })).toBe('application')
    expect(getFileKind({ type: 'image/png' })).toBe('image')
  })
})

test('a draft stays with its ticket', () => {
  keepDraft(1, 'meio escrito')
  keepDraft(2, 'outro')
  expect(readDraft(1)).toBe('meio escrito')
  keepDraft(1, ' ')
  expect(readDraft(1)).toBe('')
})

test('whom a draft in a group means is kept with it, each once, and goes with it', () => {
  const [rui, ana] = [
    { id: '159@lid', name: 'Rui' },
    { id: '160@lid', name: 'Ana' },
  ]
  keepDraft(1, '@Rui e @Ana')
  keepMembers(1, [rui])
  keepMembers(1, [ana, rui])
  expect(readMembers(1)).toEqual([rui, ana])
  expect(readMembers(2)).toEqual([])
  keepDraft(1, '')
  expect(readMembers(1)).toEqual([])
})

describe('what may be done to a message', () => {
  const open = makeTicket({ status: 'open' })
  const mine = makeMessage({ fromMe: true, state: 'delivered' })
  const soon = Date.parse(mine.createdAt) + 60_000

  test('only own texts are edited, for fifteen minutes, where the connection can', () => {
    expect(canEdit(open, mine, soon)).toBe(true)
    expect(canEdit(open, mine, soon + 15 * 60_000)).toBe(false)
    expect(canEdit(open, makeMessage({ fromMe: false }), soon)).toBe(false)
    expect(canEdit(open, { ...mine, mediaType: 'image' }, soon)).toBe(false)
    expect(canEdit(open, { ...mine, ticket: { whatsapp: { api: 'cloud_api' } } }, soon)).toBe(false)
    expect(canEdit(makeTicket({ status: 'closed' }), mine, soon)).toBe(false)
  })

  test('an own text that still waits, or failed, is edited on every kind of connection', () => {
    const official = { ...mine, ticket: { whatsapp: { api: 'cloud_api' as const } } }
    expect(canEdit(open, { ...official, state: 'queued' }, soon)).toBe(true)
    expect(canEdit(open, { ...official, state: 'failed' }, soon)).toBe(true)
    expect(canEdit(open, { ...official, state: 'sending' }, soon)).toBe(false)
  })

  test('only own messages are deleted, where the connection can or while they wait, and own comments', () => {
    expect(canRevoke(open, mine)).toBe(true)
    expect(canRevoke(open, { ...mine, state: 'queued' })).toBe(true)
    expect(canRevoke(open, { ...mine, ticket: { whatsapp: { api: 'cloud_api' } } })).toBe(false)
    expect(canRevoke(open, makeMessage({ fromMe: false }))).toBe(false)
    expect(canRevoke(open, { ...mine, mediaType: 'comment' })).toBe(true)
  })

  test('the own comment is changed and deleted where one may be written, a colleague’s deleted in an open ticket alone', () => {
    const own = { ...mine, mediaType: 'comment' as const, userId: 7 }
    const other = { ...own, userId: 8 }
    session.user = makeUser('user')
    const judge = (message: typeof mine) =>
      (['open', 'pending', 'paused', 'closed'] as const).map(status => {
        const ticket = makeTicket({ status })
        return [canEdit(ticket, message, soon + 3_600_000), canRevoke(ticket, message)]
      })
    const no = [false, false]
    expect(judge(own)).toEqual([[true, true], [true, true], no, no])
    expect(judge(other)).toEqual([[false, true], no, no, no])
    endSession()
  })
})
