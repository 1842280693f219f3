// While a layer is up or on its way, what is typed is meant for it: single letters and Esc then act on nothing that lies under it.
let resting = 0

/** Lets the letters rest until the returned function is called. */
export function restLetters(): () => void {
  resting += 1
  let over = false
  return () => {
    if (!over) resting -= 1
    over = true
  }
}

export function lettersRest(): boolean {
  return resting > 0
}
