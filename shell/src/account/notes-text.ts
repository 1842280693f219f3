// The little Markdown that notes are written in: paragraphs and lists.

export type NoteBlock = { readonly kind: 'text'; text: string } | { readonly kind: 'list'; readonly items: string[] }

/** @example parseNotes('Olá\n\n- um\n- dois') // [{ kind: 'text', text: 'Olá' }, { kind: 'list', items: ['um', 'dois'] }] */
export function parseNotes(markdown: string): NoteBlock[] {
  const blocks: NoteBlock[] = []
  let open = false
  for (const line of markdown.split('\n').map(each => each.trim())) {
    const last = open ? blocks.at(-1) : undefined
    const item = /^[-*] +(.+)/.exec(line)?.[1]
    const text = line.replace(/^#+ +/, '')
    open = line !== ''
    if (!open) continue
    if (item !== undefined) {
      if (last?.kind === 'list') last.items.push(item)
      else blocks.push({ kind: 'list', items: [item] })
    } else if (last?.kind === 'text') last.text += ` ${text}`
    else blocks.push({ kind: 'text', text })
  }
  return blocks
}
