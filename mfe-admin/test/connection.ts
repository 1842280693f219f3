// Builds a connection for tests; only what a test is about is named in it.
import type { Connection, ConnectionTrouble } from '@balcao/contract'
import { getCapabilities } from '@balcao/contract/connections/kinds'

export function makeConnection(part: Partial<Connection> = {}): Connection {
  const api = part.api ?? 'baileys'
  return {
    id: 1,
    name: 'Loja Centro',
    isDefault: false,
    nps: false,
    api,
    status: 'CONNECTED',
    battery: null,
    number: '553132224010',
    qrcode: null,
    qrExpiresAt: null,
    pairCode: null,
    retries: 0,
    trouble: null,
    waiting: 0,
    lastMessageAt: null,
    dailyCap: null,
    news: [],
    newsSeenAt: null,
    updatedAt: '2026-11-21T12:12:00.000Z',
    queues: [],
    queueIds: [],
    greetingMessage: '',
    greetingBotMessage: '',
    greetingMessageRedirect: '',
    farewellMessage: '',
    npsMessage: '',
    npsTksMessage: '',
    metaIntegration: false,
    phoneNumberId: '',
    wabaId: '',
    hasToken: false,
    publicDNSTypebot: '',
    publicIDTypebot: '',
    webhookUrl: null,
    capabilities: getCapabilities(api),
    version: 1,
    ...part,
  }
}

export function makeTrouble(part: Partial<ConnectionTrouble> = {}): ConnectionTrouble {
  return {
    code: '428',
    reason: 'network',
    since: '2026-11-21T12:12:00.000Z',
    attempt: 3,
    nextTryAt: '2026-11-21T12:13:42.000Z',
    next: 'retry',
    ...part,
  }
}
