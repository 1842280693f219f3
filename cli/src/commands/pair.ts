// Pairing a phone: the newest code in the terminal, what happens on the phone, and the end by itself when it is connected (decisions-2 §21).
import type { Connection } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { extractDigits, formatPhone } from '@balcao/contract/contacts/phone'
import { isPairPhone } from '@balcao/contract/kit/validation'
import en from '../../locales/pair/en.json'
import es from '../../locales/pair/es.json'
import pt from '../../locales/pair/pt.json'
import { defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { pick } from '../kit/pick.ts'
import { toSafeLine } from '../kit/text.ts'
import { watchPairing } from '../pair/watch.ts'

export const pair = defineCommand({
  name: 'pair',
  texts: { pt, en, es },
  args: { name: '[name]' },
  options: { code: '--code <phone>', again: '--again', yes: '--yes' },
  async run(call) {
    const { args, ask, options, out, t } = call
    const desk = await call.desk()
    const all = (await desk.api('GET /whatsapp')).filter(isWhole)
    // Only administrators are told of the codes.
    if (all.length === 0 && desk.user.profile !== 'admin') throw new Failure('onlyAdmins')
    const one = args.name === undefined ? requireOnlyOne(all) : pick(all, args.name)
    const { label, can } = KIND_TABLE[one.api]
    if (!can.pair.includes(options.code === undefined ? 'qr' : 'code'))
      throw new Failure('notPaired', { name: one.name })
    if (one.status === 'CONNECTED' && !options.again) {
      out.event({ event: 'connected', connection: one.name }, () => out.done(t('already', { name: one.name })))
      return 0
    }
    const phone = options.code === undefined ? null : parsePhone(options.code)
    out.line(`${out.paint(toSafeLine(one.name), 'strong')} ${out.paint(label, 'muted')}`)
    if (options.again && !options.yes && isLinked(one)) {
      if (!ask.isThere) throw new Failure('needsYesAgain', {}, 2)
      out.say(t('linked', { name: one.name, number: formatPhone(one.number) }))
      if (!(await ask.confirm(`${t('sure')} [${t('yesNo')}] `, t('yes')))) return 1
    }
    const isRestored = one.trouble?.reason === 'restored'
    if (isRestored && !options.yes) {
      if (!ask.isThere) throw new Failure('needsYesRestored', {}, 2)
      out.say(t('restored', { name: one.name }))
      if (!(await ask.confirm(`${t('oldServerIsOff')} [${t('yesNo')}] `, t('yes')))) return 1
    }
    return watchPairing(call, desk, one, { phone, again: options.again, isRestored })
  },
})

/** Whether a phone would be let go. */
function isLinked(connection: Connection): connection is Connection & { readonly number: string } {
  const { number, status, trouble } = connection
  return number !== null && status !== 'LOGGEDOUT' && trouble?.next !== 'read_qr'
}

function requireOnlyOne(all: readonly Connection[]): Connection {
  const paired = all.filter(({ api }) => KIND_TABLE[api].can.pair.includes('qr'))
  const waiting = paired.filter(({ status }) => status !== 'CONNECTED')
  const [one] = waiting.length === 1 ? waiting : paired
  if (!one) throw new Failure('noneAtAll')
  if (waiting.length !== 1 && paired.length > 1)
    throw new Failure('whichOne', { names: paired.map(({ name }) => name).join(', ') }, 2)
  return one
}

function parsePhone(typed: string): string {
  const digits = extractDigits(typed)
  if (!isPairPhone(digits)) throw new Failure('noPhone', { typed }, 2)
  return digits
}

function isWhole(connection: object): connection is Connection {
  return 'capabilities' in connection
}
