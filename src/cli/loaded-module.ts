/** Whether somebody's module was loaded for what it declares: what else it does could keep the process. */
let isLoaded = false;

export function noteLoadedModule(): void {
  isLoaded = true;
}

export function hasLoadedModule(): boolean {
  return isLoaded;
}
