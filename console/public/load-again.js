// Apart from the console's own script, which is the one that did not come. The link alone works without this, and
// loses what stands behind the "#" of an address: there invitations carry their secret.
document.querySelector('[data-load-again]')?.addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});
