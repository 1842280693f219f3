// The message templates of a business account, page by page.

import type { Template } from '../../../platform/channel/driver.ts'
import { isRecord, toRecords, toText } from '../shared/json.ts'
import type { Graph } from './graph.ts'

const FIELDS = 'id,name,status,category,language,components,parameter_format'
const MOST_PAGES = 50

/** The approved ones: others are refused when sent. */
export async function fetchApprovedTemplates(graph: Graph, wabaId: string): Promise<Template[]> {
  const found: Template[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { fields: FIELDS, limit: '100', ...(after && { after }) }
    const answer = await graph.get([wabaId, 'message_templates'], query)
    found.push(...toRecords(answer.data).flatMap(toTemplate))
    const paging = isRecord(answer.paging) ? answer.paging : {}
    const cursors = isRecord(paging.cursors) ? paging.cursors : {}
    after = toText(paging.next) && toText(cursors.after)
    if (!after) break
  }
  return found.filter(template => template.status === 'APPROVED')
}

function toTemplate(row: Record<string, unknown>): Template[] {
  const id = toText(row.id)
  const name = toText(row.name)
  if (!id || !name) return []
  return [
    {
      id,
      name,
      category: toText(row.category) ?? '',
      status: toText(row.status) ?? '',
      language: toText(row.language) ?? '',
      parameterFormat: row.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL',
      components: Array.isArray(row.components) ? row.components : [],
    },
  ]
}
