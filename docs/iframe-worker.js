// Search without a server: browsers refuse web workers to pages that are opened from disk, so the search runs in a hidden
// frame there. Only what the theme's search needs of a worker is here: messages to it, and messages back.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = new Promise((resolve, reject) => {
        const script = inside.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        inside.document.body.append(script);
      });
    }

    postMessage(data) {
      const inside = this.frame.contentWindow;
      this.ready.then(() => inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
