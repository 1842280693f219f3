// Whom a text of ours names, as the kinds that work by a page and by a gateway hand it on; a phone's own protocol has it in its conversations.
import { expect, test } from 'bun:test'
import type { Gateway } from '../../src/messaging/channels/meow/gateway.ts'
import { dispatchMessage } from '../../src/messaging/channels/meow/outgoing.ts'
import { buildSendCommand } from '../../src/messaging/channels/wwebjs/outgoing.ts'
import type { DriverHost } from '../../src/platform/channel/driver.ts'

const text = '@159392934358280 e @5531988880002'
const message = {
  type: 'text',
  text,
  mentions: ['159392934358280@lid', '5531988880002@s.whatsapp.net'],
} as const
const host: Pick<DriverHost, 'openMedia'> = { openMedia: async () => await Promise.reject(new Error('no file')) }

test('a page of WhatsApp Web is given them by its own addresses', async () => {
  const { command } = await buildSendCommand('1@g.us', message, host)
  expect(command).toMatchObject({ kind: 'text', text, mentions: ['159392934358280@lid', '5531988880002@c.us'] })
})

test('the gateway is given hidden ids whole and numbers by their digits', async () => {
  const posted: unknown[] = []
  const gateway = { post: async (...call: unknown[]) => void posted.push(call) } as unknown as Gateway
  await dispatchMessage(gateway, host, '1@g.us', message, 0)
  const body = { phone: '1@g.us', message: text, mentions: ['159392934358280@lid', '5531988880002'] }
  expect(posted).toEqual([[['send', 'message'], body]])
})
