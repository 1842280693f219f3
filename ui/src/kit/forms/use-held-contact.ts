import type { Contact } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { combineStops, isNewer, live } from '@balcao/ui/live'
import { useEffect, useState } from 'react'

/** The contact that is changed as it stands now, in the form in which forms of the kit ask for rows; `onSaved` hears what was saved here. */
export function useHeldContact(contact: Contact | null, onSaved: (saved: Contact) => void) {
  const [now, setNow] = useState(contact)
  const [gone, setGone] = useState(false)
  const id = contact?.id
  useEffect(() => {
    if (id === undefined) return
    const take = (next: Contact) => setNow(old => (old === null || isNewer(old, next) ? next : old))
    const load = () => {
      api('GET /contacts/:id', { params: { id } })
        // One that was merged answers as another.
        .then(next => (next.id === id ? take(next) : setGone(true)))
        .catch(() => {})
    }
    const heard = live.on('contact', event => {
      if (event.action === 'reload') load()
      else if (event.action !== 'delete') {
        if (event.contact.id === id) take(event.contact)
      } else if (event.contactId === id) setGone(true)
    })
    return combineStops(heard, live.onReset(load))
  }, [id])
  return {
    find: (wanted: number) => (now?.id === wanted ? now : undefined),
    isGone: () => gone,
    put(saved: Contact) {
      setNow(saved)
      onSaved(saved)
    },
    drop() {},
  }
}
