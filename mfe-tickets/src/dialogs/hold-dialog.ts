import { closeDialog, view } from '../desk/view.ts'

/** What closes the dialog that stands now, and none that is opened in its place: for an answer that takes its time. */
export function holdDialog(): () => void {
  const own = view.dialog
  return () => {
    if (view.dialog === own) closeDialog()
  }
}
