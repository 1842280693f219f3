// Tokens of other programs: which there are, one more, one less.
import { API_SCOPES, type ApiScope } from '@balcao/contract/api/token'
import en from '../../locales/tokens/en.json'
import es from '../../locales/tokens/es.json'
import pt from '../../locales/tokens/pt.json'
import addEn from '../../locales/tokens-add/en.json'
import addEs from '../../locales/tokens-add/es.json'
import addPt from '../../locales/tokens-add/pt.json'
import revokeEn from '../../locales/tokens-revoke/en.json'
import revokeEs from '../../locales/tokens-revoke/es.json'
import revokePt from '../../locales/tokens-revoke/pt.json'
import { defineCommand } from '../kit/command.ts'
import type { Desk } from '../kit/desk.ts'
import { parseChoice, parseId, pick } from '../kit/pick.ts'
import { repeatUnanswered } from '../kit/repeat.ts'
import { formatInstant } from '../kit/when.ts'

export const tokens = defineCommand({
  name: 'tokens',
  texts: { pt, en, es },
  async run({ out, t, language, desk }) {
    const { api } = await desk()
    const found = await api('GET /integrations/tokens')
    out.answer({ tokens: found }, () => {
      if (found.length === 0) return out.line(t('none'))
      out.table(found, [
        { title: t('name'), of: row => row.name, gives: true, tone: () => 'strong' },
        { title: t('holder'), of: row => row.user?.name ?? t('company'), gives: true },
        { title: t('scopes'), of: row => row.scopes.join(' '), gives: true },
        { title: t('last'), of: row => (row.lastUsedAt ? formatInstant(row.lastUsedAt, language) : t('never')) },
        { title: '', of: row => (row.ended ? t(`ended.${row.ended}`) : ' '), tone: () => 'bad' },
        { title: 'id', of: row => row.id, right: true, tone: () => 'muted' },
      ])
    })
  },
})

export const addToken = defineCommand({
  name: 'tokens add',
  texts: { pt: addPt, en: addEn, es: addEs },
  args: { name: '<name>' },
  options: {
    scopes: '--scopes <scopes>',
    as: '--as <person>',
    queues: '--queues <queues>',
    days: '--days <days>',
    perMinute: '--per-minute <calls>',
  },
  async run({ args: { name }, options, out, t, desk, during }) {
    const { api } = await desk()
    const scopes = parseScopes(options.scopes)
    const holder = await during(t('asking'), findHolder(api, options.as, options.queues ?? ''))
    const body = {
      ...{ name, scopes, ...holder, clientId: crypto.randomUUID() },
      ...(options.perMinute && { perMinute: parseId(options.perMinute) }),
      ...(options.days && { expiresAt: new Date(Date.now() + parseId(options.days) * 86_400_000).toISOString() }),
    }
    const made = await during(
      t('asking'),
      repeatUnanswered(() => api('POST /integrations/tokens', { body })),
    )
    out.answer({ token: made }, () => {
      out.done(t('done'))
      out.line(made.token)
    })
  },
})

export const revokeToken = defineCommand({
  name: 'tokens revoke',
  texts: { pt: revokePt, en: revokeEn, es: revokeEs },
  args: { id: '<id>' },
  async run({ args, out, t, desk }) {
    const id = parseId(args.id)
    const { api } = await desk()
    await api('DELETE /integrations/tokens/:id', { params: { id } })
    out.answer({ revoked: id }, () => out.done(t('done')))
  },
})

function parseScopes(typed = ''): ApiScope[] {
  return splitWords(typed).map(word => parseChoice(word, API_SCOPES))
}

/** A person, or the company with queues. */
async function findHolder(api: Desk['api'], person: string | undefined, queues: string) {
  if (person === undefined) {
    const all = await api('GET /queue')
    return { queueIds: splitWords(queues).map(word => pick(all, word).id) }
  }
  const { users } = await api('GET /users', { query: { all: 'true' } })
  return { userId: pick(users, person).id }
}

/** Separated by commas: names of queues have blanks in them. */
function splitWords(typed: string): string[] {
  return typed.split(',').flatMap(word => word.trim() || [])
}
