import { Pencil } from 'lucide-react'
import type { ConnectionAction } from './action.ts'

/** Opens the form of a connection; its name and kind stay locked (spec 2 §5). */
export const edit: ConnectionAction = {
  id: 'edit',
  labelKey: 'offer.edit',
  icon: Pencil,
  perform: ({ id }, desk) => desk.open({ kind: 'edit', id }),
}
