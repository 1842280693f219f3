import { textsOf } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { RefreshCcw } from 'lucide-react'
import { restartSession } from '../connections/calls.ts'
import type { ConnectionAction } from './action.ts'

/** Restarts the session; the pairing stays. Says 'Conexão reiniciando, aguarde um momento' (spec 2 §4). */
export const restart: ConnectionAction = {
  id: 'restart',
  labelKey: 'offer.restart',
  icon: RefreshCcw,
  perform: async ({ id }, desk) => {
    desk.put(await restartSession(id))
    toast.success(textsOf('admin')('restarting'))
  },
}
