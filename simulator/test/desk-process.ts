/**
 * A desk as a process of its own, with its auth state in a file: started by tests with the simulator's environment and
 * preload. Says what happens on its output, one JSON per line; `IMAGE_TO` makes it send a picture.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import makeWASocket, { type AuthenticationCreds, BufferJSON, initAuthCreds } from '@whiskeysockets/baileys'
import pino from 'pino'

const { AUTH_FILE = '', WHATSAPP_WEB_URL = '', IMAGE_TO } = process.env
console.info = () => undefined
console.warn = () => undefined

interface StoredAuth {
  creds: AuthenticationCreds
  keys: Record<string, Record<string, unknown>>
}
const stored: StoredAuth = existsSync(AUTH_FILE)
  ? JSON.parse(readFileSync(AUTH_FILE, 'utf8'), BufferJSON.reviver)
  : { creds: initAuthCreds(), keys: {} }
const save = () => writeFileSync(AUTH_FILE, JSON.stringify(stored, BufferJSON.replacer))
const say = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`)

const sock = makeWASocket({
  waWebSocketUrl: WHATSAPP_WEB_URL,
  logger: pino({ level: 'silent' }),
  auth: {
    creds: stored.creds,
    keys: {
      get: (type, ids) => {
        const entries = JSON.parse(JSON.stringify(stored.keys[type] ?? {}, BufferJSON.replacer), BufferJSON.reviver)
        return Object.fromEntries(ids.filter(id => entries[id]).map(id => [id, entries[id]]))
      },
      set: data => {
        for (const [type, entries] of Object.entries(data)) {
          const known = stored.keys[type] ?? {}
          stored.keys[type] = known
          for (const [id, value] of Object.entries(entries ?? {})) {
            if (value === null) delete known[id]
            else known[id] = value
          }
        }
        save()
      },
    },
  },
})

sock.ev.on('creds.update', update => {
  Object.assign(stored.creds, update)
  save()
})
sock.ev.on('connection.update', ({ qr, connection }) => {
  if (qr) say({ qr })
  if (connection === 'close') process.exit(0)
  if (connection !== 'open') return
  say({ open: true })
  if (IMAGE_TO) {
    sock.sendMessage(IMAGE_TO, { image: Buffer.from('a picture'), jpegThumbnail: '' }).then(
      sent => say({ sent: sent?.key.id }),
      error => say({ error: String(error) }),
    )
  }
})
sock.ev.on('messages.upsert', ({ messages }) => {
  for (const message of messages) say({ message: message.key.id, text: message.message?.conversation })
})
