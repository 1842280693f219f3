import { expect, test } from 'bun:test'
import { DrizzleQueryError } from 'drizzle-orm'
import { toLoggedError } from '../src/platform/logger.ts'

const WORDS = 'Meu cartão\nfinal 1234'

test('the log says which statement failed and why, and nothing of what a customer wrote', () => {
  const postgres = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  const failed = new DrizzleQueryError(
    'insert into "message" ("body") values ($1, $2)',
    [WORDS, 'ana@loja.br'],
    postgres,
  )
  for (const error of [failed, new Error('The inbox stopped', { cause: failed })]) {
    const line = JSON.stringify(toLoggedError(error))
    expect(line).toContain('insert into \\"message\\"')
    expect(line).toContain('lock timeout')
    for (const secret of ['cartão', 'final 1234', 'ana@loja.br']) expect(line).not.toContain(secret)
  }
})

test('nor whose number or address met one that is there', () => {
  const doubled = Object.assign(new Error('duplicate key value violates unique constraint "contact_identity_pk"'), {
    detail: 'Key (value)=(5531986554410) already exists.',
    constraint_name: 'contact_identity_pk',
  })
  expect(toLoggedError(doubled)).toMatchObject({ constraint_name: 'contact_identity_pk' })
  expect(JSON.stringify(toLoggedError(doubled))).not.toContain('5531986554410')
})
