// A file dropped over a dialog is for the dialog: its file field takes it, and where it has none nobody does.
import type { DragEvent } from 'react'

/** What a dialog listens with. */
export const FILE_DROP = {
  onDragOver(event: DragEvent<HTMLElement>) {
    if (!hasFiles(event)) return
    event.preventDefault()
    const taking = findFileInput(event.currentTarget) !== null
    event.dataTransfer.dropEffect = taking ? 'copy' : 'none'
    event.currentTarget.toggleAttribute('data-drop', taking)
  },
  onDragLeave(event: DragEvent<HTMLElement>) {
    const to = event.relatedTarget
    if (!(to instanceof Node && event.currentTarget.contains(to))) event.currentTarget.removeAttribute('data-drop')
  },
  onDrop(event: DragEvent<HTMLElement>) {
    if (!hasFiles(event)) return
    event.preventDefault()
    event.currentTarget.removeAttribute('data-drop')
    const field = findFileInput(event.currentTarget)
    if (!field) return
    field.files = event.dataTransfer.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  },
}

/** Whether what lies under the dialogs may take files now. */
export function canDropBelow(): boolean {
  return document.querySelector('[aria-modal="true"]') === null
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}

function findFileInput(panel: HTMLElement) {
  return panel.querySelector<HTMLInputElement>('input[type="file"]:not(:disabled)')
}
