import { createRowStore } from '../../policy/kit/kept-rows.ts'
import { loadTags } from './list.ts'

/** How tags are read and changed, with log and live event. */
export const store = createRowStore({ name: 'tag', missing: 'ERR_NO_TAG_FOUND', load: loadTags })
