// What the terminal does with the client, run by itself in Node and in Bun: signs in, asks for what it may and may not have, and tells
// a line at a time what its live line hears. Its arguments: the address of the server, an e-mail, a password.
import { isApiError } from '@balcao/client'
import { signIn } from '@balcao/client/session'

const [origin = '', email = '', password = ''] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

const wrong = await signIn(origin, { email, password: 'não é esta' }).catch((error: unknown) => error)
say(`sign-in ${isApiError(wrong) ? wrong.code : 'let in'}`)
const { api, user, live, signOut } = await signIn(origin, { email, password })
say(`user ${user.name}`)
say(`queues ${(await api('GET /queue')).map(({ name }) => name).join()}`)
const refused = await api('GET /tickets/:id', { params: { id: 999_999 } }).catch((error: unknown) => error)
say(`ticket ${isApiError(refused) ? `${refused.code} ${refused.status}` : 'there'}`)

const line = live({ onState: ({ state }) => say(`line ${state}`), firstWait: 10 })
line.on('tag', event => say(`tag ${event.action === 'delete' ? event.tagId : event.tag.name}`))
line.start()
for await (const word of process.stdin) {
  const text = String(word).trim()
  if (text === 'cut') line.drop()
  if (text === 'end') break
}
line.stop()
await signOut()
say('signed out')
process.exit(0)
