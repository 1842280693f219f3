// Of what the rows of Baileys' messages are made.
import type { MESSAGE_KINDS, MessageOrigin } from '@balcao/contract'
import type { proto } from '@whiskeysockets/baileys'

export const self = { id: '553132224010:7@s.whatsapp.net', lid: '99@lid' }
export const key = { remoteJid: '123@lid', remoteJidAlt: '5531998762210@s.whatsapp.net', fromMe: false, id: 'A1' }
export const text = (words: string): proto.IMessage => ({ conversation: words })
export const json = (name: string, params: unknown) => ({ name, buttonParamsJson: JSON.stringify(params) })
export const flow = (...buttons: proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton[]) => ({
  nativeFlowMessage: { buttons },
})
export const answer = (params: unknown, words?: string): proto.IMessage => ({
  interactiveResponseMessage: {
    ...(words && { body: { text: words } }),
    nativeFlowResponseMessage: {
      name: 'flow',
      paramsJson: typeof params === 'string' ? params : JSON.stringify(params),
    },
  },
})
export const key32 = new Uint8Array(32).fill(7)
export const picture = { mimetype: 'image/jpeg', mediaKey: key32, directPath: '/v/p', fileLength: 2048 }
export const boleto = { mimetype: 'application/pdf', fileName: 'boleto.pdf', mediaKey: key32, directPath: '/v/b' }
export const vcard = (name: string, more = '') => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\n${more}END:VCARD`
export const pix = { merchant_name: 'Padaria do Zé', key: 'ze@pao.br', key_type: 'EMAIL' }
export const wrapped = (depth: number, message: proto.IMessage): proto.IMessage =>
  depth === 0
    ? message
    : { [depth % 2 ? 'ephemeralMessage' : 'viewOnceMessageV2']: { message: wrapped(depth - 1, message) } }

export interface Shown {
  readonly kind: keyof typeof MESSAGE_KINDS
  readonly body?: string
  readonly file?: string
  readonly card?: object
  readonly origin?: Partial<MessageOrigin>
}
export type Row = [name: string, message: proto.IMessage, shown: Shown | 'none', around?: object]

export const notice = (code: string, name?: string): Shown => ({
  kind: 'unknown',
  body: '',
  card: { kind: 'notice', code, ...(name && { name }) },
})
export const chat = (body: string): Shown => ({ kind: 'chat', body })
