// The form of a connection that is there: all of it, or the second step after it was added.
import type { Connection } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useForm } from '@balcao/ui/screens'
import type { ConnectionPage } from './actions.ts'
import { type ConnectionFields, toFields, toUpdateBody, validateFields } from './form.ts'

export interface ConnectionFormOptions {
  readonly connection: Connection
  /** It was deleted meanwhile. */
  readonly isGone?: boolean
  readonly desk: ConnectionPage
  readonly onClose: () => void
}

export function useConnectionForm({ connection, isGone, desk, onClose }: ConnectionFormOptions) {
  const { id, hasToken, version } = connection
  return useForm<ConnectionFields, Connection>({
    texts: 'connections',
    keptAs: `connections/${id}`,
    start: toFields(connection),
    now: toFields(connection),
    version,
    isGone,
    faultsOf: fields => validateFields(fields, { hasToken }),
    fieldOf: {
      ERR_WAPP_GREETING_REQUIRED: 'greetingMessage',
      ERR_WAPP_NAME_ALREADY_EXISTS: 'name',
      ERR_NO_OTHER_WHATSAPP: 'isDefault',
    },
    save: (fields, _progress, known) =>
      api('PUT /whatsapp/:id', { params: { id }, body: { ...toUpdateBody(fields), version: known } }),
    onSaved(saved) {
      desk.put(saved)
      // Another connection may have lost its default flag.
      desk.reload()
      toast.success(getTexts('connections')('saved'))
      onClose()
    },
  })
}
