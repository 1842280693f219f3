import type { Config } from '../config.ts'
import { folderPlace } from './folder.ts'
import type { Place } from './place.ts'

/** Where backups are made every day; null: nowhere. */
export function placeOf({ to }: Config['backup']): Place | null {
  return to && folderPlace(to.folder)
}
