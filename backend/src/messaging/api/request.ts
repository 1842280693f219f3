import type { RequestBody } from '@balcao/contract'
import type { ReceivedFile } from '../../desk/media/store.ts'

/** What a program sends, with its files as they were received. */
export type ApiSendRequest = RequestBody<'POST /api/messages/send'> & { readonly files: readonly ReceivedFile[] }
